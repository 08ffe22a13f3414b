import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Data } from '../contract/handler.ts'
import type { Db } from '../db/client.ts'
import { apiEntries, groups, menus, operationLogHead, operationLogs, roles, users } from '../db/schema.ts'
import type { operations } from '../generated/directory.types.ts'
import { consoleMenus } from './console-menus.ts'

type Dashboard = Data<operations['dashboard']>

const all = (table: PgTable): SQL => sql`(select count(*) from ${table})`

/** The log's places have no gaps: counting what was deleted is enough, and quick where a million entries were not. */
const logEntries = sql`(
  select coalesce(max(seq - cleaned_to - (
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

/** How many records of each kind there are. Everybody may ask, so it says no more than that. */
export const dashboard = async (db: Db): Promise<Dashboard> => {
  const counts = counted.map(({ dataType, count }) => sql`${count}::text as ${sql.identifier(dataType)}`)
  const [row] = await db.execute<Record<string, string>>(sql`select ${sql.join(counts, sql`, `)}`)
  return counted.map(({ dataType, dataName, page }) => {
    const menu = consoleMenus.find(({ name }) => name === page)
    return { dataType, dataName, dataCount: Number(row?.[dataType]), icon: menu?.icon ?? '', path: menu?.path ?? '' }
  })
}
