import { hostileNames } from './office.ts'
import type { Application } from './trial.ts'

export const ldapvi: Application = {
  name: 'ldapvi',
  logs: '/var/log/systemctl.log',
  check: async ({ machine, directory, expect }) => {
    const { stdout } = await machine.run('ldapvi', ['--out', '(objectClass=inetOrgPerson)', 'uid'])
    const found = Array.from(stdout.matchAll(/^uid(:?): (.*)$/gm), ([, base64, value = '']) =>
      base64 ? Buffer.from(value, 'base64').toString() : value,
    )
    for (const name of ['ann', 'married', ...hostileNames]) expect(found.includes(name), `${name} is listed`)
    // A slapd without the access rules of the account shows disabled people too, as the page says.
    const hidden = directory.name === 'embedded' ? ['left', 'maiden'] : ['maiden']
    for (const name of hidden) expect(!found.includes(name), `${name} is not listed`)
  },
}
