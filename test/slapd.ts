import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { makeCertificate } from './certificate.ts'
import { freePort } from './free-port.ts'
import { type OwnServer, ownServer } from './own-server.ts'
import {
  baseEntry,
  configIdentity,
  constraintDn,
  databaseDn,
  globalDn,
  type SlapdIdentity,
  type SlapdOptions,
  slapdConfiguration,
} from './slapd-configuration.ts'
import { slapdAvailable, slapdBinary } from './slapd-installation.ts'

export type { SlapdOptions } from './slapd-configuration.ts'
export { skipWithoutSlapd, slapdAvailable } from './slapd-installation.ts'

export interface TestSlapd extends SlapdIdentity, OwnServer {
  url: string
  /** Only with `tls`. */
  ldapsUrl: string | null
  /** The PEM text of the authority to trust, and its file; only with `tls`. */
  ca: (() => string) | null
  caFile: string | null
  /** What ldapsearch prints as the root DN: LDIF without comments or wrapped lines. */
  ldapsearch(...args: string[]): Promise<string>
  /** From now on a value of `attribute` that contains `character` is refused (constraintViolation, 19). */
  refuse(attribute: string, character: string): Promise<void>
  /** Refuses every write from now on (unwillingToPerform, 53), or no more. */
  readOnly(on: boolean): Promise<void>
  /**
   * Copies what another server has and will have. With an `id` of its own it also accepts changes, for the other one to
   * copy (mirror mode); without, it refers every change to the other one.
   */
  follow(other: { url: string }, id?: number): Promise<void>
  /** From now on only the administrator may change passwords. */
  keepPasswords(): Promise<void>
  /** Adds a user who may change everything and sees no password. @returns with what to bind as this user */
  hidePasswords(): Promise<SlapdIdentity>
  /** All entries, as a backup of it has them (slapcat). */
  dump(): Promise<string>
  /** Has what a dump has, and nothing else: it is stopped meanwhile. */
  setBack(dump: string): Promise<void>
  /** Takes every `refuse` back. */
  accept(): Promise<void>
  /** Requests of each kind that it has begun to carry out since it was started, refused ones too. */
  operations(): Promise<Record<'Add' | 'Modify' | 'Modrdn' | 'Delete', number>>
}

/** The settings with which a service mirrors into this directory. */
export const directorySettings = (slapd: SlapdIdentity & { url: string }): Record<string, string> => ({
  LDAP_URL: slapd.url,
  LDAP_BASE_DN: slapd.baseDn,
  LDAP_BIND_DN: slapd.bindDn,
  LDAP_BIND_PASSWORD: slapd.bindPassword,
})

const run = promisify(execFile)

const accepts = (port: number, address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, address)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

const load = async (folder: string, database: number, ldif: string): Promise<void> => {
  const file = join(folder, `load-${database}.ldif`)
  await writeFile(file, ldif, { mode: 0o600 })
  await run(slapdBinary ?? '', ['-T', 'add', '-n', String(database), '-F', join(folder, 'config'), '-l', file])
}

/**
 * Starts a real slapd on a free port of 127.0.0.1 with its data in a temporary folder; both are gone after the test.
 * The base entry `dc=example,dc=org` is there. Throws where slapd is not installed: give the test
 * `{ skip: skipWithoutSlapd }`.
 */
export const testSlapd = async (t: Pick<Test, 'teardown'>, options: SlapdOptions = {}): Promise<TestSlapd> => {
  if (!slapdAvailable || slapdBinary === null) throw new Error('slapd is not installed')
  const binary = slapdBinary
  const identity = { baseDn: 'dc=example,dc=org', bindDn: 'cn=admin,dc=example,dc=org', bindPassword: 'secret' }
  const folder = await mkdtemp(join(tmpdir(), 'steward-slapd-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))

  await mkdir(join(folder, 'config'))
  await mkdir(join(folder, 'data'))
  const certificate = options.tls ? await makeCertificate(folder, options.at && `DNS:${options.at.name}`) : null
  await load(folder, 0, slapdConfiguration(folder, options, identity, certificate))
  if (!options.empty) await load(folder, 1, baseEntry(identity))

  const port = options.at ? 389 : await freePort()
  const address = options.at?.address ?? '127.0.0.1'
  const url = `ldap://${address}:${port}`
  const ldapsUrl = certificate && `ldaps://${address}:${options.at ? 636 : await freePort()}`
  const environment = { ...process.env, LDAPNOINIT: '1', ...(certificate && { LDAPTLS_CACERT: certificate.ca }) }

  const listeners = [url, ldapsUrl].filter((listener) => listener !== null).join(' ')
  const server = await ownServer(t, {
    binary,
    // -d 0 keeps it in the foreground.
    args: ['-d', '0', '-h', listeners, '-F', join(folder, 'config')],
    answers: () => accepts(port, address),
  })

  const tool = async (name: string, bind: Omit<SlapdIdentity, 'baseDn'>, args: string[]): Promise<string> => {
    const login = ['-x', '-H', url, '-D', bind.bindDn, '-w', bind.bindPassword]
    const { stdout } = await run(name, [...login, ...args], { env: environment, maxBuffer: 2 ** 28 })
    return stdout
  }
  const configure = async (changes: string[], dn = constraintDn): Promise<void> => {
    const file = join(folder, 'change.ldif')
    await writeFile(file, [`dn: ${dn}`, 'changetype: modify', ...changes, ''].join('\n'))
    await tool('ldapmodify', configIdentity, ['-f', file])
  }

  const asked: Omit<TestSlapd, keyof OwnServer> = {
    ...identity,
    url,
    ldapsUrl,
    ca: certificate && (() => readFileSync(certificate.ca, 'utf8')),
    caFile: certificate?.ca ?? null,
    ldapsearch: (...args) => tool('ldapsearch', identity, ['-LLL', '-o', 'ldif-wrap=no', ...args]),
    refuse: (attribute, character) =>
      configure(['add: olcConstraintAttribute', `olcConstraintAttribute: ${attribute} regex ^[^${character}]*$`]),
    readOnly: (on) => configure(['replace: olcReadOnly', `olcReadOnly: ${on ? 'TRUE' : 'FALSE'}`], databaseDn),
    follow: async (other, id) => {
      const source = `rid=001 provider=${other.url} type=refreshAndPersist retry="1 +" searchbase="${identity.baseDn}"`
      const login = `bindmethod=simple binddn="${identity.bindDn}" credentials=${identity.bindPassword}`
      const role = id === undefined ? ['olcUpdateRef', other.url] : ['olcMultiProvider', 'TRUE']
      if (id !== undefined) await configure(['add: olcServerID', `olcServerID: ${id}`], globalDn)
      const follow = ['add: olcSyncrepl', `olcSyncrepl: ${source} ${login}`, '-']
      await configure([...follow, `add: ${role[0]}`, role.join(': ')], databaseDn)
    },
    keepPasswords: () =>
      configure(['add: olcAccess', 'olcAccess: {0}to attrs=userPassword by anonymous auth by * read'], databaseDn),
    hidePasswords: async () => {
      const bindDn = `cn=blind,${identity.baseDn}`
      const file = join(folder, 'blind.ldif')
      const classes = ['organizationalRole', 'simpleSecurityObject'].map((name) => `objectClass: ${name}`)
      await writeFile(file, [`dn: ${bindDn}`, ...classes, 'cn: blind', 'userPassword: secret', ''].join('\n'))
      await tool('ldapadd', identity, ['-f', file])
      const everything = ['add: olcAccess', `olcAccess: {0}to * by dn.exact="${bindDn}" write by * read`]
      const passwords = `{0}to attrs=userPassword by dn.exact="${bindDn}" =wx by anonymous auth by * none`
      await configure([...everything, '-', 'add: olcAccess', `olcAccess: ${passwords}`], databaseDn)
      return { ...identity, bindDn }
    },
    dump: async () => {
      const command = ['-T', 'cat', '-n', '1', '-F', join(folder, 'config')]
      return (await run(binary, command, { maxBuffer: 2 ** 28 })).stdout
    },
    setBack: async (dump) => {
      await server.stop()
      await rm(join(folder, 'data'), { recursive: true })
      await mkdir(join(folder, 'data'))
      await load(folder, 1, dump)
      await server.start()
    },
    accept: () => configure(['replace: olcConstraintAttribute']),
    operations: async () => {
      const counters = ['-LLL', '-b', 'cn=Operations,cn=Monitor', '-s', 'one', 'monitorOpInitiated']
      const shown = await tool('ldapsearch', configIdentity, counters)
      const count = (kind: string): number =>
        Number(new RegExp(`^dn: cn=${kind},[^]*?monitorOpInitiated: (\\d+)`, 'm').exec(shown)?.[1])
      return { Add: count('Add'), Modify: count('Modify'), Modrdn: count('Modrdn'), Delete: count('Delete') }
    },
  }
  return Object.assign(server, asked)
}
