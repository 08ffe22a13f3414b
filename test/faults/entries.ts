import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import type { components } from '../../src/generated/directory.types.ts'
import { normalizeDn, rdn } from '../../src/ldap/dn.ts'
import type { Call } from '../contract/call.ts'

/** Compares the output of ldapsearch with the API, without the code that mirrors one to the other. */

type User = components['schemas']['User']
type Group = components['schemas']['Group']

/** The service that is asked about SQL. */
export interface Asked {
  call: Call
  token: string
}

/** The server that is asked about the directory; a TestSlapd fits. */
export interface Shown {
  baseDn: string
  ldapsearch(...args: string[]): Promise<string>
}

/** Attribute values by attribute, both as text in a fixed order. */
type Entries = Map<string, string>

export const usersAndGroups = async ({ call, token }: Asked): Promise<{ users: User[]; groups: Group[] }> => {
  const users = await call('listUsers', { token })
  const groups = await call('listGroups', { token })
  if (users.code !== 0 || groups.code !== 0) throw new Error(`${users.msg}, ${groups.msg}`)
  return { users: users.data.users, groups: groups.data.groups }
}

/**
 * Waits until directory and SQL are equal and the API says so of every record. No request is made meanwhile; when
 * it takes longer than `within` milliseconds, the test fails with the differences.
 */
export const becomesEqual = async (t: Test, asked: Asked, shown: Shown, within = 90_000): Promise<void> => {
  const deadline = Date.now() + within
  let differences = await differ(asked, shown)
  // A comparison takes processor time from the processes under test.
  for (let pause = 100; differences.length > 0 && Date.now() < deadline; pause = Math.min(2000, pause * 1.5)) {
    await delay(pause)
    differences = await differ(asked, shown)
  }
  t.strictSame(differences.slice(0, 10), [], 'the directory equals SQL')
}

/** One line for each entry or record that is not as it should be. */
export const differ = async (asked: Asked, shown: Shown): Promise<string[]> => {
  const { users, groups } = await usersAndGroups(asked)
  const wanted = entriesOf(users, groups, shown.baseDn)
  // While it is down or being wiped there is nothing to compare.
  const found = await shown.ldapsearch('-b', shown.baseDn, filter, ...attributes).then(entriesIn, String)
  if (typeof found === 'string') return [found]
  for (const unit of ['people', 'disabled']) found.delete(normalizeDn(`ou=${unit},${shown.baseDn}`))
  const entries = [...new Set([...wanted.keys(), ...found.keys()])]
    .filter((dn) => wanted.get(dn) !== found.get(dn))
    .map((dn) => `${dn}: SQL ${wanted.get(dn) ?? 'has none'} / directory ${found.get(dn) ?? 'has none'}`)
  const states = [...users, ...groups]
    .filter(({ syncState, syncError }) => syncState !== 1 || syncError !== '')
    .map(
      (record) =>
        `${'username' in record ? record.username : record.groupName}: ${record.syncState} ${record.syncError}`,
    )
  return [...entries, ...states]
}

const filter = '(|(objectClass=inetOrgPerson)(objectClass=groupOfNames)(objectClass=organizationalUnit))'
const attributes = [
  ...['uid', 'cn', 'sn', 'displayName', 'mail', 'mobile', 'employeeNumber', 'title', 'departmentNumber', 'ou'],
  ...['description', 'member'],
]

const entriesOf = (users: readonly User[], groups: readonly Group[], baseDn: string): Entries => {
  const byId = new Map(groups.map((group) => [group.id, group]))
  const groupDn = ({ groupType, groupName, parentId }: Group): string => {
    const parent = byId.get(parentId)
    return `${rdn(groupType, groupName)},${parent ? groupDn(parent) : baseDn}`
  }
  const userDn = ({ username, status }: User): string =>
    `${rdn('uid', username)},ou=${status === 1 ? 'people' : 'disabled'},${baseDn}`
  const entries: Entries = new Map()
  for (const user of users) {
    const departments = user.departmentId.map((id) => byId.get(id)?.groupName ?? `group ${id}`)
    const name = user.nickname || user.username
    const known = { uid: [user.username], cn: [name], sn: [name], displayName: [user.nickname] }
    const enabled = {
      ...{ mail: [user.mail], mobile: [user.mobile], title: [user.position], description: [user.introduction] },
      ...{ departmentNumber: departments, ou: departments },
    }
    const shown = { ...known, employeeNumber: [user.jobNumber], ...(user.status === 1 ? enabled : {}) }
    entries.set(normalizeDn(userDn(user)), written(shown))
  }
  for (const group of groups) {
    const members = users.filter(({ status, departmentId }) => status === 1 && departmentId.includes(group.id))
    const member = members.length > 0 ? members.map(userDn) : [`cn=nobody,${baseDn}`]
    const shape = group.groupType === 'ou' ? {} : { member }
    entries.set(
      normalizeDn(groupDn(group)),
      written({ [group.groupType]: [group.groupName], description: [group.remark], ...shape }),
    )
  }
  return entries
}

const entriesIn = (ldif: string): Entries =>
  new Map(
    ldif
      .split(/\n\n+/)
      .filter((block) => block.trim() !== '')
      .map((block): [string, string] => {
        const values: Record<string, string[]> = {}
        for (const line of block.trim().split('\n')) {
          const [, name = '', encoded, text = ''] = /^([^:]+):(:?) ?(.*)$/.exec(line) ?? []
          const value = encoded ? Buffer.from(text, 'base64').toString() : text
          values[name] = [...(values[name] ?? []), value]
        }
        const { dn: [dn = ''] = [], ...others } = values
        return [normalizeDn(dn), written(others)]
      }),
  )

/** Values are a set: a person in two departments of one name has the name once. */
const written = (values: Record<string, string[]>): string =>
  Object.entries(values)
    .map(
      ([name, list]) =>
        [name, new Set(list.filter(Boolean).map((value) => (name === 'member' ? normalizeDn(value) : value)))] as const,
    )
    .filter(([, set]) => set.size > 0)
    .map(([name, set]) => `${name}=${[...set].sort().join('|')}`)
    .sort()
    .join('; ')
