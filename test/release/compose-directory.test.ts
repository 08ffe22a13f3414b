import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { skipWithoutTools } from '../ldap-server/ldap-tools.ts'
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
  const identity = ['-x', '-H', url, '-D', `cn=admin,${baseDn}`, '-w', 'admin-password']
  const answers = (): boolean => {
    try {
      execFileSync('ldapwhoami', identity, { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }
  await eventually(async () => answers(), 'slapd answers')
  const entries = [
    `dn: ${baseDn}\nobjectClass: domain\ndc: example\n`,
    `dn: uid=ann,${baseDn}\nobjectClass: inetOrgPerson\nuid: ann\ncn: Ann\nsn: Ann\n`,
    `dn: cn=Rowers,${baseDn}\nobjectClass: groupOfNames\ncn: Rowers\nmember: uid=ann,${baseDn}\n`,
  ]
  execFileSync('ldapadd', identity, { input: entries.join('\n'), stdio: ['pipe', 'ignore', 'inherit'] })
  const filter = `(memberOf=cn=Rowers,${baseDn})`
  const found = execFileSync('ldapsearch', [...identity, '-LLL', '-b', baseDn, filter, 'memberOf'], {
    encoding: 'utf8',
  })
  t.equal(found.trim(), `dn: uid=ann,${baseDn}\nmemberOf: cn=Rowers,${baseDn}`)
})
