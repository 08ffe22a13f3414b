import { password } from './office.ts'
import type { Application } from './trial.ts'

const log = '/var/log/apache2/error.log'
/** So many sessions in a row that phpLDAPadmin cannot read have another cause. */
const maxSessions = 4

export const phpldapadmin: Application = {
  name: 'phpldapadmin',
  portsOf: 'apache',
  logs: log,
  check: async ({ machine, office, directory, password: secretOfAccount, tag, expect }) => {
    const page = 'http://localhost/phpldapadmin/cmd.php'
    /** Signs in with a new session, and shows an entry. @returns the answers to both */
    const open = async (dn: string, secret: string, entry: string): Promise<Response[]> => {
      const first = await fetch('http://localhost/phpldapadmin/index.php')
      await first.text()
      const cookie = first.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; ')
      const login = {
        cmd: 'login',
        server_id: '1',
        'nodecode[login_pass]': '1',
        login: dn,
        login_pass: secret,
        submit: 'Authenticate',
      }
      const signed = await fetch(page, { method: 'POST', headers: { cookie }, body: new URLSearchParams(login) })
      const query = new URLSearchParams({ cmd: 'template_engine', server_id: '1', dn: entry })
      return [signed, await fetch(`${page}?${query}`, { headers: { cookie } })]
    }
    /** The pages of a session that phpLDAPadmin can read: some it cannot, as the page says. */
    const look = async (dn: string, secret: string, entry: string): Promise<string> => {
      for (let session = 1; ; session++) {
        const answers = await open(dn, secret, entry)
        const text = (await Promise.all(answers.map((answer) => answer.text()))).join('')
        if (answers.every(({ status }) => status === 200)) return text
        const said = (await machine.run('grep', ['-F', 'Fatal error', log])).stdout.trimEnd().split('\n')
        const isUnreadable =
          said.length > 0 && said.every((line) => /openssl_decrypt\(\).*blowfish_decrypt\(\)/.test(line))
        if (isUnreadable && session < maxSessions) continue
        expect(false, `${dn} gets ${answers.map(({ status }) => status)} for ${entry}: ${said.at(-1)}`)
        return text
      }
    }
    const people = `ou=people,${directory.baseDn}`
    const ann = `uid=ann,${people}`
    for (const [dn, secret] of [
      [ann, password],
      [`cn=phpldapadmin,ou=service-accounts,${directory.baseDn}`, secretOfAccount],
    ] as const) {
      const shown = await look(dn, secret, ann)
      expect(shown.includes('ann@example.org') && shown.includes('Ann Lee'), `ann's entry is shown to ${dn}`)
    }
    const typist = await office.addUser(`${tag}.typist`)
    for (const [name, secret] of [
      [`${tag}.typist`, 'wrong'],
      ['left', password],
      ['maiden', password],
    ] as const) {
      const refused = await look(`uid=${name},${people}`, secret, ann)
      expect(refused.includes('Invalid credentials (49)'), `${name} is told that the password is wrong`)
      expect(!refused.includes('ann@example.org'), `${name} sees nothing`)
    }
    await office.remove(typist)
    for (const rdn of ['uid=john\\,smith', 'uid=王小明', 'uid=star*', 'uid=\\#first', 'uid=back\\\\slash']) {
      const odd = await look(ann, password, `${rdn},${people}`)
      expect(/departmentNumber/i.test(odd) && odd.includes('Rowers'), `${rdn} is shown`)
    }
  },
}
