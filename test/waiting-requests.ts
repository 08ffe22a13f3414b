import { sql } from 'drizzle-orm'
import { lockTables } from '../src/backups/restore/lock-tables.ts'
import type { Database, Db, Tx } from '../src/db/client.ts'
import type { Operations } from '../src/generated/documents.ts'
import type { CallInput, Reply } from './contract/call.ts'
import { eventually } from './eventually.ts'
import { heldOpen } from './held-open.ts'
import { adminPassword, type TestSteward } from './steward.ts'

/** Requests of all operations that have an effect, for tests that let them wait for what then refuses them. */

/** What a request may write although it is refused: counts of attempts, safety backups, what periodic work notes. */
const aside: ReadonlySet<string> = new Set([
  ...['sessions', 'throttles', 'leases', 'schedules', 'tasks', 'backups', 'operation_logs', 'operation_log_head'],
  ...['operation_log_writers', 'alerts', 'notifications', 'directory_entries', 'directories', 'runs', 'run_records'],
])

/** A digest of each table, apart from those that a refused request may write. */
export const contents = async (db: Db): Promise<Record<string, string>> => {
  const tables = await db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const digests: Record<string, string> = {}
  for (const { name } of tables.filter((table) => !aside.has(table.name))) {
    const [row] = await db.execute<{ digest: string }>(sql`
      select coalesce(md5(string_agg(r::text, chr(10) order by r::text)), '') as digest from ${sql.identifier(name)} r`)
    digests[name] = row?.digest ?? ''
  }
  return digests
}

/** Whether a transaction waits for a lock. */
export const isWaiting = async (db: Db): Promise<boolean> => {
  const [row] = await db.execute<{ waiting: boolean }>(sql`
    select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waiting`)
  return row?.waiting === true
}

/**
 * Sends a request while a transaction holds all tables, which commits once the request waits for them.
 * @param held what the transaction changes
 * @param waited what happens between that the request waits and the commit
 * @returns null: it did not wait
 */
export const acrossTransaction = async (
  db: Db,
  {
    held,
    send,
    waited = async () => {},
  }: {
    held: (tx: Tx) => Promise<unknown>
    send: () => Promise<Reply>
    waited?: () => Promise<void>
  },
): Promise<Reply | null> => {
  const transaction = await heldOpen(db, async (tx) => {
    await lockTables(tx, 'postgres')
    await held(tx)
  })
  let answered = false
  const answer = send().finally(() => {
    answered = true
  })
  await eventually(async () => answered || (await isWaiting(db)), 'the request answers or waits')
  const early = answered
  await waited()
  await transaction.end()
  const reply = await answer
  return early ? null : reply
}

/** Tells a service on this database that callers have changed. Call it after the service was opened: it is told before. */
export const announcing = async ({ db, listen }: Pick<Database, 'db' | 'listen'>): Promise<() => Promise<void>> => {
  let announced = 0
  await listen?.(
    'steward_principals',
    () => {
      announced += 1
    },
    () => {},
  )
  return async () => {
    const before = announced
    await db.execute(sql`select pg_notify('steward_principals', '{"all":true}')`)
    await eventually(() => announced > before, 'the service is told')
  }
}

/** Records that operations name, so that they would have an effect. */
export const prepared = async ({ take, person, db }: TestSteward) => {
  const { id: personId } = await person('pia')
  const [role] = await db.execute<{ id: string }>(sql`
    insert into roles (name, keyword, sort) values ('clerks', 'clerks', 50) returning id`)
  const roleId = Number(role?.id)
  const { id: groupId } = await take('addGroup', {
    body: { groupType: 'cn', groupName: 'Crew', parentId: 0, remark: '' },
  })
  const { id: menuId } = await take('addMenu', {
    body: { name: 'Own', title: 'Own', path: '/own', component: 'x', icon: '', sort: 1, parentId: 0 } as never,
  })
  const { id: deviceId } = await take('registerDevice', { body: { name: 'Door', type: 'door' } })
  const [session] = await db.execute<{ id: string }>(sql`select id from sessions where user_id = ${personId}`)
  const today = new Date().toISOString().slice(0, 10)
  return { personId, roleId, groupId, menuId, deviceId, sessionId: session?.id ?? '', today }
}

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHrnkbhO0CvkpdDkXNVNdw5G6BCf5xwvNYgwUOUmr3Wm'

/** What to call them with; others take the smallest input. */
export const inputs = (of: Awaited<ReturnType<typeof prepared>>): Partial<Record<keyof Operations, CallInput>> => {
  const person = {
    ...{ username: 'nina', nickname: 'Nina', mail: '', mobile: '', jobNumber: '', departmentId: [], roleIds: [] },
  }
  const id = { id: of.personId }
  return {
    addUser: { body: { ...person, password: 'nina has a password' } },
    updateUser: { body: { ...person, ...id, username: 'pia', nickname: 'Other' } },
    deleteUsers: { body: { userIds: [of.personId] } },
    changeUserStatus: { body: { ...id, status: 2 } },
    changePeople: { body: { action: 'disable', ids: [of.personId] } },
    resetUserPassword: { params: id, body: { way: 'shown' } },
    resetUserPasswords: { body: { way: 'shown', ids: [of.personId] } },
    unlockUser: { params: id },
    endUserSession: { params: { ...id, sessionId: of.sessionId } },
    addGroup: { body: { groupType: 'cn', groupName: 'Others', parentId: 0, remark: '' } },
    updateGroup: { body: { id: of.groupId, groupName: 'Renamed', remark: '' } },
    deleteGroups: { body: { groupIds: [of.groupId] } },
    addGroupUsers: { body: { groupId: of.groupId, userIds: [of.personId] } },
    addRole: { body: { name: 'Others', keyword: 'others', sort: 60 } },
    updateRole: { body: { id: of.roleId, name: 'Renamed', keyword: 'clerks', sort: 51 } },
    deleteRoles: { body: { roleIds: [of.roleId] } },
    updateRoleApis: { body: { roleId: of.roleId, apiIds: [1] } },
    updateRoleMenus: { body: { roleId: of.roleId, menuIds: [of.menuId] } },
    updateMenu: {
      body: { id: of.menuId, name: 'Own', title: 'Renamed', path: '/own', component: 'x', icon: '', sort: 1 },
    },
    deleteMenus: { body: { menuIds: [of.menuId] } },
    addApi: { body: { method: 'GET', path: '/own', category: 'own', remark: '' } },
    registerDevice: { body: { name: 'Window', type: 'door' } },
    updateDevice: { params: { id: of.deviceId }, body: { name: 'Gate' } },
    removeDevice: { params: { id: of.deviceId } },
    setDeviceStatus: { params: { id: of.deviceId }, body: { status: 'online' } },
    updateMe: { body: { name: 'Other' } },
    savePlan: { body: { date: of.today, meals: [] } },
    createServiceAccount: { body: { name: 'app' } },
    declareAttribute: { body: { kind: 'user', name: 'shoe', type: 'text', labels: { en: 'Shoe', 'zh-CN': 'Shoe' } } },
    addMySshKey: { body: { name: 'Laptop', key } },
    addPersonSshKey: { params: id, body: { name: 'Laptop', key } },
    changeOwnPassword: { body: { oldPassword: adminPassword, newPassword: 'another long password' } },
    retryPerson: { params: id },
    retryDepartment: { params: { id: of.groupId } },
    getPerson: { params: id },
    getDepartment: { params: { id: of.groupId } },
  }
}
