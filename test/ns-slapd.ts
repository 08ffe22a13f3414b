import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { hashAs } from '../src/mirror/passwords/password-values.ts'
import { type CertificateFiles, makeCertificate } from './certificate.ts'
import { freePort } from './free-port.ts'
import type { ServerUnderTest } from './ldap-server/ldap-tools.ts'
import { type OwnServer, ownServer } from './own-server.ts'

// 389 Directory Server (Debian: 389-ds-base), in its own settings but for what a test has no use for.

const binary = '/usr/sbin/ns-slapd'
const templates = '/usr/share/dirsrv/data'

/** For the `skip` option of a test that needs 389 Directory Server; with REQUIRE_SERVERS=1 it fails instead. */
export const skipWithoutNsSlapd: string | false =
  existsSync(binary) || process.env.REQUIRE_SERVERS === '1' ? false : '389 Directory Server is not installed'

export type TestNsSlapd = OwnServer &
  ServerUnderTest & {
    /** Only with `tls`; `caFile` is there then, too. */
    ldapsUrl: string | null
  }

export interface NsSlapdOptions {
  applications?: boolean
  tls?: boolean
  /** Where it listens, on the ports of the protocol, and the name in its certificate; by default any free port of 127.0.0.1. */
  at?: { address: string; name: string }
}

const identity = { baseDn: 'dc=example,dc=org', bindDn: 'cn=Directory Manager', bindPassword: 'secret' }

const notArgon2 = async (): Promise<string> => ''

const encrypted = (port: number, address: string): string =>
  `\nnsslapd-security: on\nnsslapd-secureport: ${port}\nnsslapd-securelistenhost: ${address}`

/** Gives it a certificate, and the authority of it, in the database of NSS in its folder. */
const storeCertificate = async (folder: string, { ca, certificate, key }: CertificateFiles): Promise<void> => {
  const run = promisify(execFile)
  const bundle = join(folder, 'server.p12')
  const parts = ['-in', certificate, '-inkey', key, '-name', 'Server-Cert', '-out', bundle]
  await run('openssl', ['pkcs12', '-export', '-passout', 'pass:', ...parts])
  await run('certutil', ['-N', '-d', folder, '--empty-password'])
  await run('certutil', ['-A', '-d', folder, '-n', 'CA', '-t', 'CT,,', '-a', '-i', ca])
  await run('pk12util', ['-i', bundle, '-d', folder, '-W', '', '-K', ''])
}

interface Listener {
  address: string
  port: number
  ldapsPort: number | null
}

/** Its configuration from its own template, with this folder for all that it writes. */
const configurationIn = async (folder: string, { address, port, ldapsPort }: Listener): Promise<string> => {
  const values: Record<string, string> = {
    ...Object.fromEntries(
      ['lock', 'tmp', 'ldif', 'bak', 'run', 'inst', 'log', 'db', 'db_home'].map((name) => [
        `${name}_dir`,
        join(folder, name),
      ]),
    ),
    config_dir: folder,
    cert_dir: folder,
    schema_dir: join(folder, 'schema'),
    fqdn: 'localhost',
    ds_port: String(port),
    ds_user: userInfo().username,
    ds_suffix: identity.baseDn,
    ds_passwd: (await hashAs('SSHA512', identity.bindPassword, notArgon2)) ?? '',
    rootdn: identity.bindDn,
    ldapi_enabled: 'off',
    ldapi: join(folder, 'ldapi'),
    ldapi_autobind: 'off',
    db_lib: 'bdb',
  }
  const template = readFileSync(join(templates, 'template-dse.ldif'), 'utf8')
  return (
    template
      .replaceAll(/%(\w+)%/g, (_, name: string) => values[name] ?? '')
      .replace(/^nsslapd-port:.*$/m, `$&\nnsslapd-listenhost: ${address}`)
      .replace(/^nsslapd-security:.*\n/m, '')
      .replace(/^nsslapd-port:.*$/m, ldapsPort === null ? '$&' : `$&${encrypted(ldapsPort, address)}`)
      // Tests do not need what is written to outlive the machine.
      .replace(/^nsslapd-directory:.*$/m, '$&\nnsslapd-db-durable-transaction: off')
  )
}

/** The database of the base DN, and the base entry. */
const content = `dn: cn=userroot,cn=ldbm database,cn=plugins,cn=config
objectClass: extensibleObject
objectClass: nsBackendInstance
cn: userroot
nsslapd-suffix: ${identity.baseDn}

dn: cn=entryUUID,cn=index,cn=userroot,cn=ldbm database,cn=plugins,cn=config
objectClass: nsIndex
cn: entryUUID
nsSystemIndex: false
nsIndexType: eq

dn: cn=${identity.baseDn.replaceAll('=', '\\3D').replaceAll(',', '\\2C')},cn=mapping tree,cn=config
objectClass: extensibleObject
objectClass: nsMappingTree
cn: ${identity.baseDn}
nsslapd-state: backend
nsslapd-backend: userroot

dn: ${identity.baseDn}
objectClass: domain
dc: example
`

/** What an administrator sets up for applications: names beyond ASCII, memberOf, and what users may read and write. */
const forApplications = `dn: cn=7-bit check,cn=plugins,cn=config
changetype: modify
replace: nsslapd-pluginEnabled
nsslapd-pluginEnabled: off

dn: cn=MemberOf Plugin,cn=plugins,cn=config
changetype: modify
replace: nsslapd-pluginEnabled
nsslapd-pluginEnabled: on
-
replace: memberOfGroupAttr
memberOfGroupAttr: member
-
replace: memberOfAutoAddOC
memberOfAutoAddOC: nsMemberOf
`

const accessRules = `dn: ${identity.baseDn}
changetype: modify
add: aci
aci: (targetattr != "userPassword")(version 3.0; acl "read"; allow (read, search, compare) userdn = "ldap:///all";)
aci: (targetattr = "userPassword")(version 3.0; acl "own"; allow (write) userdn = "ldap:///self";)
`

/**
 * Starts one, with its data in a temporary folder; both are gone after the test.
 * @param options with `applications` it is set up as a directory that applications ask; else as it is installed. With
 *   `tls` it has a throw-away certificate: StartTLS on `url`, and LDAPS on `ldapsUrl`
 */
export const testNsSlapd = async (t: Pick<Test, 'teardown'>, options: NsSlapdOptions = {}): Promise<TestNsSlapd> => {
  const folder = await mkdtemp(join(tmpdir(), 'steward-ns-slapd-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const { at } = options
  const address = at?.address ?? '127.0.0.1'
  const port = at ? 389 : await freePort()
  const url = `ldap://${address}:${port}`
  for (const name of ['lock', 'tmp', 'ldif', 'bak', 'run', 'inst', 'log', 'db', 'db_home'])
    await mkdir(join(folder, name))
  await cp('/etc/dirsrv/schema', join(folder, 'schema'), { recursive: true })
  await cp('/etc/dirsrv/config', folder, { recursive: true })
  const certificate = options.tls ? await makeCertificate(folder, at && `IP:${address},DNS:${at.name}`) : null
  if (certificate !== null) await storeCertificate(folder, certificate)
  const ldapsPort = certificate && (at ? 636 : await freePort())
  await writeFile(join(folder, 'dse.ldif'), await configurationIn(folder, { address, port, ldapsPort }), {
    mode: 0o600,
  })
  const run = promisify(execFile)
  const tool = (name: string, args: readonly string[]) =>
    run(name, ['-x', '-H', url, '-D', identity.bindDn, '-w', identity.bindPassword, ...args], {
      env: { ...process.env, LDAPNOINIT: '1' },
    })
  const server = await ownServer(t, {
    binary,
    // -d 0 keeps it in the foreground.
    args: ['-D', folder, '-i', join(folder, 'pid'), '-d', '0'],
    answers: () =>
      tool('ldapwhoami', []).then(
        () => true,
        () => false,
      ),
  })
  const load = async (name: string, ldif: string): Promise<void> => {
    const file = join(folder, 'content.ldif')
    await writeFile(file, ldif)
    await tool(name, ['-f', file])
  }
  if (options.applications) await load('ldapmodify', forApplications)
  // The first start has added the plug-in of entryUUID to the configuration, the second one loads it.
  await server.stop()
  await server.start()
  await load('ldapadd', content)
  if (options.applications) await load('ldapmodify', accessRules)
  return Object.assign(server, {
    ...{ ...identity, url, caFile: certificate?.ca ?? null },
    ldapsUrl: ldapsPort === null ? null : `ldaps://${address}:${ldapsPort}`,
  })
}
