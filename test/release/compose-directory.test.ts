import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { ldapTools, skipWithoutTools } from '../ldap-server/ldap-tools.ts'
import { skipWithoutSlapd } from '../slapd.ts'

// The OpenLDAP of compose.yaml, as its container starts it: deploy/openldap/start.sh.

const baseDn = 'dc=example,dc=org'

t.test('people have memberOf', { skip: skipWithoutSlapd || skipWithoutTools }, async (t) => {
  const folder = t.testdir({ secret: 'admin-password', data: {}, slapd: {} })
  const port = await freePort()
  const url = `ldap://127.0.0.1:${port}`
  const script = readFileSync('deploy/openldap/start.sh', 'utf8')
    .replaceAll('/run/secrets/ldap', join(folder, 'secret'))
    .replaceAll('/etc/ldap/slapd.d', join(folder, 'slapd'))
    .replaceAll('/var/lib/ldap', join(folder, 'data'))
    .replaceAll('/run/slapd', join(folder, 'run'))
    .replaceAll('/tmp/slapd.ldif', join(folder, 'slapd.ldif'))
    .replace('-h ldap:///', `-h ${url}`)
    // As the user of the test.
    .replace(/^chown .*$/m, '')
    .replace('-u openldap -g openldap', '')
  const slapd = spawn('sh', ['-c', script], {
    env: { PATH: `${process.env.PATH}:/usr/sbin`, LDAP_BASE_DN: baseDn },
    stdio: 'ignore',
  })
  t.teardown(() => void slapd.kill('SIGKILL'))
  const tools = ldapTools({ url, baseDn, bindDn: `cn=admin,${baseDn}`, bindPassword: 'admin-password' })
  await eventually(async () => (await tools.run('ldapwhoami', [])).code === 0, 'slapd answers')
  const entries = [
    `dn: ${baseDn}\nobjectClass: domain\ndc: example\n`,
    `dn: uid=ann,${baseDn}\nobjectClass: inetOrgPerson\nuid: ann\ncn: Ann\nsn: Ann\n`,
    `dn: cn=Rowers,${baseDn}\nobjectClass: groupOfNames\ncn: Rowers\nmember: uid=ann,${baseDn}\n`,
  ]
  t.match(await tools.run('ldapadd', [], entries.join('\n')), { code: 0 })
  const { stdout } = await tools.search('-b', baseDn, `(memberOf=cn=Rowers,${baseDn})`, 'memberOf')
  t.equal(stdout.trim(), `dn: uid=ann,${baseDn}\nmemberOf: cn=Rowers,${baseDn}`)
})
