import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { LRUCache } from 'lru-cache'
import { consoleMenus } from '../access/console-menus.ts'
import type { Data } from '../contract/handler.ts'
import type { Db } from '../db/client.ts'
import type { Reading } from '../db/replica.ts'
import { apiEntries, groups, menus, operationLogHead, operationLogs, roles, users } from '../db/schema.ts'
import type { operations } from '../generated/directory.types.ts'

type Dashboard = Data<operations['dashboard']>

const all = (table: PgTable): SQL => sql`(select count(*) from ${table})`

/**
 * The log's places have no gaps, so it is enough to count the deleted entries. Counting a million entries would be
 * slow.
 */
const logEntries = sql`(
  select coalesce(max(seq - greatest(cleaned_to, (select min(seq) - 1 from ${operationLogs})) - (
    select count(*) from ${operationLogs} where hidden_by is not null and seq > cleaned_to)), 0)
  from ${operationLogHead})`

/** What is counted, and the console's page for it. */
const counted = [
  { dataType: 'user', dataName: 'Users', page: 'User', count: all(users) },
  { dataType: 'group', dataName: 'Groups', page: 'Group', count: all(groups) },
  { dataType: 'role', dataName: 'Roles', page: 'Role', count: all(roles) },
  { dataType: 'menu', dataName: 'Menus', page: 'Menu', count: all(menus) },
  { dataType: 'api', dataName: 'API entries', page: 'Api', count: all(apiEntries) },
  { dataType: 'log', dataName: 'Log entries', page: 'OperationLog', count: logEntries },
] as const satisfies { dataType: Dashboard[number]['dataType']; dataName: string; page: string; count: SQL }[]

/** Milliseconds the figures are cached: the database counts at most once in that time. */
const keptFor = 1000

/** The number of records of each kind. Every caller may ask, so it returns nothing more. */
export const openDashboard = (reading: Reading): (() => Promise<Dashboard>) => {
  const figures = new LRUCache<'all', Dashboard>({ max: 1, ttl: keptFor, fetchMethod: () => reading(count) })
  return () => figures.forceFetch('all')
}

const count = async (db: Db): Promise<Dashboard> => {
  const counts = counted.map(({ dataType, count }) => sql`${count}::text as ${sql.identifier(dataType)}`)
  const [row] = await db.execute<Record<string, string>>(sql`select ${sql.join(counts, sql`, `)}`)
  return counted.map(({ dataType, dataName, page }) => {
    const menu = consoleMenus.find(({ name }) => name === page)
    return { dataType, dataName, dataCount: Number(row?.[dataType]), icon: menu?.icon ?? '', path: menu?.path ?? '' }
  })
}
