import { readFileSync } from 'node:fs'
import { rdn } from '../../src/ldap/dn.ts'
import { testSamba } from '../../test/samba.ts'
import type { Machine } from './machine.ts'
import { hostileNames, hostilePasswords } from './office.ts'
import { line, type OtherServer } from './other-server.ts'

/** [MS-ADTS] section 3.1.1.3.1.5: the password in quotation marks, in UTF-16. */
const passwordLine = (secret: string): string =>
  `unicodePwd:: ${Buffer.from(`"${secret}"`, 'utf16le').toString('base64')}\n`

const dnOf = (name: string, base: string): string => `${rdn('cn', name)},ou=Sales,${base}`

/** What sAMAccountName does not take: docs/active-directory.md. */
const isAccountName = (name: string): boolean => /^[^"/\\[\]:;|=,+*?<>@]{1,20}$/.test(name)

const control = (name: string, base: string, value: 512 | 514): string =>
  `${line('dn', dnOf(name, base))}changetype: modify\nreplace: userAccountControl\nuserAccountControl: ${value}\n`

export const samba: OtherServer = {
  name: 'samba',
  host: 'dc1.example.org',
  open: async (t) => {
    const server = await testSamba(t)
    // For its own tools.
    const prepare = (machine: Machine): Promise<void> =>
      machine.write('/etc/samba/smb.conf', readFileSync(server.configuration, 'utf8'))
    return Object.assign(server, { prepare })
  },
  source: {
    names: hostileNames.filter(isAccountName),
    dnOf,
    add: (name, secret, base) =>
      [
        ...[line('dn', dnOf(name, base)), 'changetype: add\nobjectClass: user\n', line('sAMAccountName', name)],
        ...[line('displayName', `Name of ${name}`), passwordLine(secret), 'userAccountControl: 512\n'],
      ].join(''),
    rename: (from, to, base) =>
      [
        `${line('dn', dnOf(from, base))}changetype: modrdn\n${line('newrdn', rdn('cn', to))}deleteoldrdn: 1\n`,
        `${line('dn', dnOf(to, base))}changetype: modify\nreplace: sAMAccountName\n${line('sAMAccountName', to)}`,
      ].join('\n'),
    disable: (name, base) => control(name, base, 514),
    enable: (name, base) => control(name, base, 512),
    addGroup: (name, members, base) =>
      [
        `dn: cn=${name},ou=Sales,${base}\nchangetype: add\nobjectClass: group\nsAMAccountName: ${name}\n`,
        ...members.map((member) => line('member', dnOf(member, base))),
      ].join(''),
  },
  target: {
    secret: 'Soup of the 9th day',
    // The policy of a new domain wants three kinds of characters.
    hostile: hostilePasswords.map((secret) => `A1${secret}`),
    refused: ['guest', 'krbtgt'],
  },
}
