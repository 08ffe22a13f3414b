import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CertificateFiles } from './certificate.ts'
import { hasModule, moduleFolder, schemaFolder } from './slapd-installation.ts'

export interface SlapdOptions {
  /** Load the argon2 module (default true); without it slapd refuses every `{ARGON2}` password. */
  argon2?: boolean
  /** The memberof overlay, with its own reference repair. */
  memberof?: boolean
  /**
   * Where `memberOf` is in the schema: from the overlay's module, which is loaded in any case (default); from
   * docs/schema/member-of.ldif, without the module; nowhere.
   */
  memberOfFrom?: 'module' | 'schema' | 'nowhere'
  /** The refint overlay: member references follow renames and deletes. */
  refint?: boolean
  /** What notes the last bind of an entry: slapd itself (olcLastBind), or the overlay of slapd-contrib. */
  lastBind?: 'own' | 'overlay'
  /** The sssvlv overlay: entries are sorted on request (RFC 2891). */
  sort?: boolean
  /** Sync to disk at every commit (default false: tests are four times faster without). */
  durable?: boolean
  /** The most bytes that its data may have (default 2 GB). */
  mapSize?: number
  /** Others may follow it (syncrepl), and it may follow others: see `follow`. */
  replicated?: boolean
  /** A throw-away certificate: StartTLS on `url`, and LDAPS on `ldapsUrl`. */
  tls?: boolean
  /** Where it listens, on the ports 389 and 636, and the name in its certificate (default: free ports of 127.0.0.1). */
  at?: { address: string; name: string }
  /** Start without the base entry. */
  empty?: boolean
  /** Schemas that are not loaded. */
  without?: readonly ('nis' | 'inetorgperson')[]
  /** An attribute that the schema inetorgperson does not have. */
  lacks?: string
  /** posixGroup as an auxiliary class, as in the draft RFC 2307bis (default: structural, as in RFC 2307). */
  rfc2307bis?: boolean
  /** Load docs/schema/openssh-lpk.ldif. */
  opensshLpk?: boolean
  /** Load docs/schema/nt-hash.ldif. */
  ntHash?: boolean
  /**
   * The ppolicy overlay, with its default policy at `cn=policy` below the base entry, and a user `cn=steward` there whose
   * changes have to follow it, as those of the administrator do not. Their entries have to be added.
   */
  policy?: boolean
  /** How many entries a user other than the administrator may ask for at once. */
  pageLimit?: number
}

export interface SlapdIdentity {
  baseDn: string
  bindDn: string
  bindPassword: string
}

export const constraintDn = 'olcOverlay={0}constraint,olcDatabase={1}mdb,cn=config'
export const databaseDn = 'olcDatabase={1}mdb,cn=config'
export const globalDn = 'cn=config'
export const configIdentity = { bindDn: 'cn=config', bindPassword: 'config' }

type Values = string | readonly string[]

/** One LDIF record; every value base64, so that no value needs a thought. */
const record = (dn: string, attributes: Record<string, Values>): string =>
  [
    `dn: ${dn}`,
    ...Object.entries(attributes).flatMap(([type, values]) =>
      [values].flat().map((value) => `${type}:: ${Buffer.from(value).toString('base64')}`),
    ),
  ].join('\n')

// slapadd knows neither `include:` nor comments inside a record.
const schemaRecord = (name: string): string =>
  readFileSync(join(schemaFolder ?? '', `${name}.ldif`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .join('\n')

const ownSchema = (name: string): string =>
  readFileSync(new URL(`../docs/schema/${name}.ldif`, import.meta.url), 'utf8').trim()

/** The only difference that matters here: a group of names can be a POSIX group too. */
const asRfc2307bis = (nis: string): string =>
  nis
    .replaceAll(/\n /g, '')
    .replace(/(NAME 'posixGroup'.*?) STRUCTURAL MUST \( cn \$ gidNumber \)/, '$1 AUXILIARY MUST gidNumber')

const withoutAttribute = (schema: string, name: string): string =>
  schema
    .replaceAll(/\n /g, '')
    .split('\n')
    .filter((line) => !line.startsWith('olcAttributeTypes:') || !line.includes(`NAME '${name}'`))
    .join('\n')
    .replace(new RegExp(` ${name} \\$`), '')

const loadedSchema = (name: string, { rfc2307bis, lacks }: SlapdOptions): string => {
  const schema = schemaRecord(name)
  if (name === 'nis') return rfc2307bis ? asRfc2307bis(schema) : schema
  return name === 'inetorgperson' && lacks ? withoutAttribute(schema, lacks) : schema
}

const overlay = (index: number, name: string, objectClass: string, attributes: Record<string, Values> = {}): string =>
  record(`olcOverlay={${index}}${name},olcDatabase={1}mdb,cn=config`, {
    objectClass: ['olcOverlayConfig', objectClass],
    olcOverlay: `{${index}}${name}`,
    ...attributes,
  })

const modules = (options: SlapdOptions): string[] => [
  ...['back_mdb', 'refint', 'constraint', 'ppolicy', 'pw-sha2', 'syncprov', 'sssvlv'],
  ...(options.argon2 === false ? [] : ['argon2']),
  ...((options.memberOfFrom ?? 'module') === 'module' ? ['memberof'] : []),
  ...(hasModule('pw-pbkdf2') ? ['pw-pbkdf2'] : []),
  ...(options.lastBind === 'overlay' ? ['lastbind'] : []),
]

const overlays = (options: SlapdOptions, { baseDn }: SlapdIdentity): string[] => {
  // Without values the constraint overlay refuses nothing; `refuse` gives it some at run time.
  const all = [overlay(0, 'constraint', 'olcConstraintConfig')]
  if (options.memberof) all.push(overlay(all.length, 'memberof', 'olcMemberOf', { olcMemberOfRefint: 'TRUE' }))
  if (options.refint) {
    all.push(
      overlay(all.length, 'refint', 'olcRefintConfig', {
        olcRefintAttribute: ['member', 'uniqueMember', 'manager', 'owner'],
        olcRefintNothing: `cn=nobody,${baseDn}`,
      }),
    )
  }
  if (options.replicated) all.push(overlay(all.length, 'syncprov', 'olcSyncProvConfig'))
  if (options.lastBind === 'overlay') all.push(overlay(all.length, 'lastbind', 'olcLastBindConfig'))
  if (options.policy) {
    all.push(overlay(all.length, 'ppolicy', 'olcPPolicyConfig', { olcPPolicyDefault: `cn=policy,${baseDn}` }))
  }
  if (options.sort) all.push(overlay(all.length, 'sssvlv', 'olcSssVlvConfig'))
  return all
}

/** The whole cn=config tree as LDIF for `slapadd -n 0`. */
export const slapdConfiguration = (
  folder: string,
  options: SlapdOptions,
  identity: SlapdIdentity,
  certificate: CertificateFiles | null,
): string =>
  `${[
    record('cn=config', {
      objectClass: 'olcGlobal',
      cn: 'config',
      olcPidFile: join(folder, 'slapd.pid'),
      olcArgsFile: join(folder, 'slapd.args'),
      ...(certificate && {
        olcTLSCACertificateFile: certificate.ca,
        olcTLSCertificateFile: certificate.certificate,
        olcTLSCertificateKeyFile: certificate.key,
      }),
    }),
    record('cn=module{0},cn=config', {
      objectClass: 'olcModuleList',
      cn: 'module{0}',
      olcModulePath: moduleFolder ?? '',
      olcModuleLoad: modules(options),
    }),
    record('cn=schema,cn=config', { objectClass: 'olcSchemaConfig', cn: 'schema' }),
    ...['core', 'cosine', 'nis', 'inetorgperson']
      .filter((name) => !options.without?.some((one) => one === name))
      .map((name) => loadedSchema(name, options)),
    ...(options.opensshLpk ? [ownSchema('openssh-lpk')] : []),
    ...(options.ntHash ? [ownSchema('nt-hash')] : []),
    ...(options.memberOfFrom === 'schema' ? [ownSchema('member-of')] : []),
    record('olcDatabase={-1}frontend,cn=config', {
      objectClass: ['olcDatabaseConfig', 'olcFrontendConfig'],
      olcDatabase: '{-1}frontend',
      olcSizeLimit: 'unlimited',
    }),
    record('olcDatabase={0}config,cn=config', {
      objectClass: 'olcDatabaseConfig',
      olcDatabase: '{0}config',
      olcRootDN: configIdentity.bindDn,
      olcRootPW: configIdentity.bindPassword,
    }),
    record('olcDatabase={1}mdb,cn=config', {
      objectClass: ['olcDatabaseConfig', 'olcMdbConfig'],
      olcDatabase: '{1}mdb',
      olcSuffix: identity.baseDn,
      olcRootDN: identity.bindDn,
      olcRootPW: identity.bindPassword,
      olcDbDirectory: join(folder, 'data'),
      olcDbMaxSize: String(options.mapSize ?? 2 ** 31),
      olcDbIndex: [
        'objectClass eq',
        'uid,cn,mail eq,pres,sub',
        options.memberOfFrom === 'nowhere' ? 'member eq' : 'member,memberOf eq',
        'entryUUID,entryCSN eq',
      ],
      ...(options.durable ? {} : { olcDbNoSync: 'TRUE' }),
      ...(options.lastBind === 'own' && { olcLastBind: 'TRUE' }),
      ...(options.pageLimit && { olcLimits: `{0}users size=unlimited size.pr=${options.pageLimit}` }),
      olcAccess: [
        ...(options.policy ? [`{0}to * by dn.exact=cn=steward,${identity.baseDn} write by * break`] : []),
        `{${options.policy ? 1 : 0}}to attrs=userPassword by self write by anonymous auth by * none`,
        `{${options.policy ? 2 : 1}}to * by users read by * none`,
      ],
    }),
    ...overlays(options, identity),
    record('olcDatabase={2}monitor,cn=config', { objectClass: 'olcMonitorConfig', olcDatabase: '{2}monitor' }),
  ].join('\n\n')}\n`

/** The base entry as LDIF for `slapadd -n 1`. */
export const baseEntry = ({ baseDn }: SlapdIdentity): string =>
  `${record(baseDn, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' })}\n`
