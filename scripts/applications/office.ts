import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Test } from 'tap'
import { eventually } from '../../test/eventually.ts'
import { accountsOf } from '../../test/services/accounts.ts'
import { directorySettings, testSlapd } from '../../test/slapd.ts'
import { steward, type TestSteward } from '../../test/steward.ts'

/** Of all people, except of those below. */
export const password = 'soup of the day'

/** Names that the syntax of some application gives a meaning, or that some application does not expect. */
export const hostileNames = [
  ...['王小明', 'john,smith', '#first', 'back\\slash', 'quote"d', 'star*', 'paren(x)', "o'brien", 'two  spaces'],
  ...[
    '🚀rocket',
    'DOMAIN\\joe',
    'user@example.org',
    'a+b',
    'a=b',
    '<tag>',
    'semi;colon',
    '%41',
    '$HOME',
    '-dash',
    'null',
  ],
]

/** Passwords that are cut, quoted or escaped by mistake somewhere. */
export const hostilePasswords = [
  '  spaces at the ends  ',
  'quotes "\' and \\ back',
  'Füße: 王 %41 $HOME #1',
  'x'.repeat(120),
]

export interface Directory {
  name: 'embedded' | 'slapd'
  /** Where it listens, on the ports 389 and 636. */
  address: string
  baseDn: string
  /** The file of the authority of its certificate. */
  ca: string
}

export type Office = Awaited<ReturnType<typeof officeOf>>

/** The part of tap's test that what opens things needs, and what ends them. */
export const endings = () => {
  const ends: (() => unknown)[] = []
  return {
    t: { teardown: (end: () => unknown) => void ends.push(end) } as unknown as Test,
    end: async (): Promise<void> => {
      for (const each of ends.splice(0).reverse()) await each()
    },
  }
}

/** The settings with which a service mirrors into this slapd beside its first directory. */
export const furtherDirectory = (slapd: Parameters<typeof directorySettings>[0]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(directorySettings(slapd)).map(([name, value]) => [name.replace('LDAP_', 'LDAP_2_'), value]),
  )

/** Waits until every directory has everything. */
export const settledIn = async (s: TestSteward): Promise<void> => {
  let waiting: readonly { said: string }[] = []
  const isSettled = async (): Promise<boolean> => {
    waiting = await s.db.execute<{ said: string }>(sql`
      select concat_ws(' ', directory, kind, record_id, error) as said from directory_entries
      where version <> synced_version
      union all select concat_ws(' ', number, 'service account', name) from service_accounts a, directories d
      where not exists (select from service_entries e
        where e.directory = d.number and e.account_id = a.id and e.synced_version = a.version)`)
    return waiting.length === 0
  }
  await eventually(isSettled, 'the directories have everything').catch((error: unknown) => {
    throw new Error(`${waiting.length} wait: ${waiting[0]?.said}`, { cause: error })
  })
}

/**
 * People and groups of all kinds in a Steward, which changes them.
 * @param secrets the password of all people, and those that are odd, for a directory that takes no others
 */
export const officeOf = async (
  s: TestSteward,
  { secret = password, hostile = hostilePasswords }: { secret?: string; hostile?: readonly string[] } = {},
) => {
  const settled = (): Promise<void> => settledIn(s)
  const addGroup = async (groupName: string, parentId = 0): Promise<number> =>
    (await s.take('addGroup', { body: { groupName, groupType: 'cn', parentId } })).id
  const addUser = async (username: string, departmentId: number[] = [], more: object = {}): Promise<number> => {
    const body = {
      username,
      nickname: username,
      mail: '',
      mobile: '',
      jobNumber: '',
      password: secret,
      departmentId,
      roleIds: [],
    }
    return (await s.take('addUser', { body: { ...body, ...more } })).id
  }
  const setStatus = async (id: number, status: 1 | 2): Promise<void> => {
    await s.take('changeUserStatus', { body: { id, status } })
    await settled()
  }

  const rowers = await addGroup('Rowers')
  const juniors = await addGroup('Juniors', rowers)
  const core = await addGroup('R&D, "Core" #1')
  await addUser('ann', [rowers], { nickname: 'Ann Lee', mail: 'ann@example.org', jobNumber: '17' })
  await addUser('kid', [juniors], { mail: 'kid@example.org' })
  await addUser('core', [core])
  await addUser('visitor', [], { mail: 'visitor@example.org' })
  for (const name of hostileNames) await addUser(name, [rowers, core])
  for (const [index, odd] of hostile.entries()) await addUser(`secret${index}`, [rowers], { password: odd })
  const married = await addUser('maiden', [rowers])
  const left = await addUser('left', [rowers], { mail: 'left@example.org' })
  await s.take('updateUser', { body: renamed('married', married, [rowers]) })
  await setStatus(left, 2)

  return {
    password: secret,
    hostilePasswords: hostile,
    settled,
    addUser: async (...user: Parameters<typeof addUser>): Promise<number> => {
      const id = await addUser(...user)
      await settled()
      return id
    },
    addGroup,
    rename: async (id: number, username: string, groups: number[] = [rowers], more: object = {}): Promise<void> => {
      await s.take('updateUser', { body: { ...renamed(username, id, groups), ...more } })
      await settled()
    },
    disable: (id: number) => setStatus(id, 2),
    remove: async (id: number): Promise<void> => {
      await s.take('deleteUsers', { body: { userIds: [id] } })
      await settled()
    },
    enable: (id: number) => setStatus(id, 1),
    /** Until the directories have what follows from it. */
    signIn: async (id: number, username: string): Promise<void> => {
      await s.signIn(username, secret)
      const hash = sql`select from nt_hashes where user_id = ${id}`
      await eventually(async () => (await s.db.execute(hash)).length > 0, 'the person has an NT hash')
      await settled()
    },
    addKey: async (username: string, key: string): Promise<void> => {
      const { users } = await s.take('listUsers', { query: { username } })
      const id = users.find((user) => user.username === username)?.id ?? 0
      await s.take('addPersonSshKey', { params: { id }, body: { name: key.slice(-20), key } })
      await settled()
    },
    rowers,
  }
}

/**
 * Steward with the embedded directory and a slapd that follow the same records: people and groups of all kinds.
 * @param settings of Steward, as the pages say them
 */
export const openOffice = async (settings: Readonly<Record<string, string>>) => {
  const { t, end } = endings()
  const folder = mkdtempSync(join(tmpdir(), 'steward-applications-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

  const slapd = await testSlapd(t, {
    at: { address: '127.0.0.12', name: 'ldap.example.org' },
    tls: true,
    rfc2307bis: true,
    opensshLpk: true,
    ntHash: true,
    memberOfFrom: 'schema',
  })
  const second = Object.entries(settings).flatMap(([name, value]) => {
    if (/^LDAP_(GROUP_CLASS|NESTED_GROUPS|MEMBER_OF|NT_HASH)$/.test(name))
      return [[name.replace('LDAP_', 'LDAP_2_'), value]]
    return name === 'POSIX_ACCOUNTS' ? [['LDAP_2_POSIX_ACCOUNTS', value]] : []
  })
  const dataDir = join(folder, 'data')
  const s = await steward(t, {
    dataDir,
    env: {
      ...settings,
      ...Object.fromEntries(second),
      EMBEDDED_LDAP_HOST: '127.0.0.11',
      EMBEDDED_LDAP_PORT: '389',
      EMBEDDED_LDAP_NAMES: 'ldap.example.org',
      ...furtherDirectory(slapd),
    },
  })
  const { stepUp, ...accounts } = await accountsOf(s)
  const embeddedCa = join(dataDir, 'directory-certificate', 'ca.pem')
  const directories: readonly Directory[] = [
    { name: 'embedded', address: '127.0.0.11', baseDn: 'dc=steward,dc=local', ca: embeddedCa },
    { name: 'slapd', address: '127.0.0.12', baseDn: slapd.baseDn, ca: slapd.caFile ?? '' },
  ]
  const office = await officeOf(s)
  return {
    ...office,
    directories,
    /** @returns its password */
    createAccount: async (body: { name: string }): Promise<string> => {
      await stepUp()
      const { password } = await accounts.create(body)
      await office.settled()
      return password
    },
    end,
  }
}

const renamed = (username: string, id: number, departmentId: number[]) => ({ id, username, departmentId, roleIds: [] })
