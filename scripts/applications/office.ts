import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Test } from 'tap'
import { eventually } from '../../test/eventually.ts'
import { accountsOf } from '../../test/services/accounts.ts'
import { testSlapd } from '../../test/slapd.ts'
import { steward } from '../../test/steward.ts'

/** Of everyone, except of those below. */
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

export type Office = Awaited<ReturnType<typeof openOffice>>

/**
 * Steward with the embedded directory and a slapd that follow the same records: people and groups of all kinds.
 * @param settings of Steward, as the pages say them
 */
export const openOffice = async (settings: Readonly<Record<string, string>>) => {
  const ends: (() => unknown)[] = []
  // The part of tap's test that what opens things needs.
  const t = { teardown: (end: () => unknown) => void ends.push(end) } as unknown as Test
  const folder = mkdtempSync(join(tmpdir(), 'steward-applications-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

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
      LDAP_2_URL: slapd.url,
      LDAP_2_BASE_DN: slapd.baseDn,
      LDAP_2_BIND_DN: slapd.bindDn,
      LDAP_2_BIND_PASSWORD: slapd.bindPassword,
    },
  })
  const { stepUp, ...accounts } = await accountsOf(s)
  const embeddedCa = join(dataDir, 'directory-certificate', 'ca.pem')
  const directories: readonly Directory[] = [
    { name: 'embedded', address: '127.0.0.11', baseDn: 'dc=steward,dc=local', ca: embeddedCa },
    { name: 'slapd', address: '127.0.0.12', baseDn: slapd.baseDn, ca: slapd.caFile ?? '' },
  ]

  /** Waits until both directories have everything. */
  const settled = async (): Promise<void> => {
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
    await eventually(isSettled, 'both directories have everything').catch((error: unknown) => {
      throw new Error(`${waiting.length} wait: ${waiting[0]?.said}`, { cause: error })
    })
  }
  const addGroup = async (groupName: string, parentId = 0): Promise<number> =>
    (await s.take('addGroup', { body: { groupName, groupType: 'cn', parentId } })).id
  const addUser = async (username: string, departmentId: number[] = [], more: object = {}): Promise<number> => {
    const body = {
      username,
      nickname: username,
      mail: '',
      mobile: '',
      jobNumber: '',
      password,
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
  await addUser('guest', [], { mail: 'guest@example.org' })
  for (const name of hostileNames) await addUser(name, [rowers, core])
  for (const [index, secret] of hostilePasswords.entries())
    await addUser(`secret${index}`, [rowers], { password: secret })
  const married = await addUser('maiden', [rowers])
  const left = await addUser('left', [rowers], { mail: 'left@example.org' })
  await s.take('updateUser', { body: renamed('married', married, [rowers]) })
  await setStatus(left, 2)

  return {
    directories,
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
      await s.signIn(username, password)
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
    /** @returns its password */
    createAccount: async (body: { name: string }): Promise<string> => {
      await stepUp()
      const { password } = await accounts.create(body)
      await settled()
      return password
    },
    end: async () => {
      for (const end of ends.reverse()) await end()
    },
  }
}

const renamed = (username: string, id: number, departmentId: number[]) => ({ id, username, departmentId, roleIds: [] })
