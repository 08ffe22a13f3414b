import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { makeCertificate } from './certificate.ts'
import { ldapTools, type ServerUnderTest } from './ldap-server/ldap-tools.ts'
import { type OwnServer, ownServer } from './own-server.ts'

// An Active Directory: the domain controller of Samba (Debian: samba-ad-dc, samba-ad-provision), its LDAP server alone.

const binary = '/usr/sbin/samba'

/** For the `skip` option of a test that needs it; with REQUIRE_SERVERS=1 it fails instead. */
export const skipWithoutSamba: string | false =
  (existsSync(binary) && process.getuid?.() === 0) || process.env.REQUIRE_SERVERS === '1'
    ? false
    : "Samba's domain controller is not installed, or this is not root: it takes the ports 389 and 636"

/**
 * `baseDn` is an organizational unit that is not there yet, `domain` that of the directory, `configuration` the file for
 * its own tools.
 */
export type TestSamba = OwnServer &
  ServerUnderTest & { caFile: string; domain: string; address: string; configuration: string }

const domain = 'DC=example,DC=org'
const identity = {
  domain,
  baseDn: 'ou=Steward,dc=example,dc=org',
  bindDn: `CN=Administrator,CN=Users,${domain}`,
  bindPassword: 'the 1 Administrator',
}

const run = promisify(execFile)

const configurationIn = (folder: string, address: string): string => `[global]
netbios name = DC1
realm = EXAMPLE.ORG
workgroup = EXAMPLE
server role = active directory domain controller
server services = ldap
interfaces = ${address}/8
bind interfaces only = yes
private dir = ${folder}/private
state directory = ${folder}/state
cache directory = ${folder}/cache
lock directory = ${folder}
pid directory = ${folder}
ncalrpc dir = ${folder}/ncalrpc
log file = ${folder}/log
ldb:nosync = true
tls enabled = yes
tls certfile = ${folder}/server.crt
tls keyfile = ${folder}/server.key
tls cafile = ${folder}/ca.crt
`

/**
 * Starts one with its data in a temporary folder; both are gone after the test. Its ports are those of the protocol, so
 * it has an address of loopback of its own.
 */
export const testSamba = async (t: Pick<Test, 'teardown'>): Promise<TestSamba> => {
  const folder = await mkdtemp(join(tmpdir(), 'steward-samba-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const address = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`
  const url = `ldaps://${address}`
  const { ca: caFile } = await makeCertificate(folder, `IP:${address},IP:127.0.0.1,DNS:dc1.example.org`)
  await chmod(join(folder, 'server.key'), 0o600)
  await run('samba-tool', [
    ...['domain', 'provision', '--realm=EXAMPLE.ORG', '--domain=EXAMPLE', '--server-role=dc', '--dns-backend=NONE'],
    ...[`--adminpass=${identity.bindPassword}`, `--targetdir=${folder}`, '--host-name=dc1', `--host-ip=${address}`],
    ...[`--option=interfaces=${address}/8`, '--option=bind interfaces only=yes'],
  ])
  const configuration = join(folder, 'smb.conf')
  await writeFile(configuration, configurationIn(folder, address))
  await mkdir(join(folder, 'cache'), { recursive: true })
  const { search } = ldapTools({ ...identity, url, caFile })
  const server = await ownServer(t, {
    binary,
    args: ['--foreground', '--no-process-group', '--model=single', `--configfile=${configuration}`],
    answers: async () => (await search('-b', '', '-s', 'base', '(objectClass=*)', '1.1')).code === 0,
  })
  return Object.assign(server, { ...identity, url, caFile, address, configuration })
}
