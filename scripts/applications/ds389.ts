import { rdn } from '../../src/ldap/dn.ts'
import { testNsSlapd } from '../../test/ns-slapd.ts'
import { hostileNames, hostilePasswords, password } from './office.ts'
import { line, type OtherServer } from './other-server.ts'

const address = '127.0.0.13'
const host = 'ds.example.org'

const dnOf = (name: string, base: string): string => `${rdn('uid', name)},ou=Sales,${base}`

export const ds389: OtherServer = {
  name: '389',
  host,
  open: async (t) => {
    const server = await testNsSlapd(t, { tls: true, at: { address, name: host } })
    return Object.assign(server, { url: server.ldapsUrl ?? '', caFile: server.caFile ?? '', address })
  },
  source: {
    names: hostileNames,
    dnOf,
    add: (name, secret, base) =>
      [
        ...[line('dn', dnOf(name, base)), 'changetype: add\nobjectClass: inetOrgPerson\n', line('uid', name)],
        ...[line('cn', `Name of ${name}`), line('sn', name), line('userPassword', secret)],
      ].join(''),
    rename: (from, to, base) =>
      `${line('dn', dnOf(from, base))}changetype: modrdn\n${line('newrdn', rdn('uid', to))}deleteoldrdn: 1\n`,
    disable: (name, base) =>
      `${line('dn', dnOf(name, base))}changetype: modify\nreplace: nsAccountLock\nnsAccountLock: TRUE\n`,
    enable: (name, base) => `${line('dn', dnOf(name, base))}changetype: modify\ndelete: nsAccountLock\n`,
    addGroup: (name, members, base) =>
      [
        `dn: cn=${name},ou=Sales,${base}\nchangetype: add\nobjectClass: groupOfNames\n`,
        ...members.map((member) => line('member', dnOf(member, base))),
      ].join(''),
  },
  target: { secret: password, hostile: hostilePasswords },
}
