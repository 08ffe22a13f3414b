import { password } from './office.ts'
import type { Application } from './run.ts'

export const phpldapadmin: Application = {
  name: 'phpldapadmin',
  portsOf: 'apache',
  logs: '/var/log/apache2/error.log',
  check: async ({ directory, expect }) => {
    const page = 'http://localhost/phpldapadmin/cmd.php'
    /** Signs in, and shows an entry. @returns the pages */
    const look = async (dn: string, secret: string, entry: string): Promise<string> => {
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
      return (await signed.text()) + (await (await fetch(`${page}?${query}`, { headers: { cookie } })).text())
    }
    const people = `ou=people,${directory.baseDn}`
    const ann = `uid=ann,${people}`
    const shown = await look(ann, password, ann)
    expect(
      shown.includes('ann@example.org') && shown.includes('Ann Lee'),
      `ann's entry is shown: ${shown.slice(0, 2000)}`,
    )
    for (const [dn, secret] of [
      [ann, 'wrong'],
      [`uid=left,${people}`, password],
      [`uid=maiden,${people}`, password],
    ]) {
      const refused = await look(dn ?? '', secret ?? '', ann)
      expect(!refused.includes('ann@example.org'), `${dn} with ${secret} sees nothing`)
    }
    for (const rdn of ['uid=john\\,smith', 'uid=王小明', 'uid=star*', 'uid=\\#first', 'uid=back\\\\slash']) {
      const odd = await look(ann, password, `${rdn},${people}`)
      expect(/departmentNumber/i.test(odd) && odd.includes('Rowers'), `${rdn} is shown`)
    }
  },
}
