import { type SQL, sql } from 'drizzle-orm'
import type { Data } from '../contract/handler.ts'
import type { Db } from '../db/client.ts'
import { apiEntries, groups, menus, operationLogHead, operationLogs, roles, users } from '../db/schema.ts'
import type { operations } from '../generated/directory.types.ts'
import { consoleMenus } from './console-menus.ts'

type Dashboard = Data<operations['dashboard']>

/** Entries of the operation log that nobody deleted. */
const visibleLogs = sql`${operationLogs}
  where hidden_by is null and seq > coalesce((select cleaned_to from ${operationLogHead}), 0)`

/** What is counted, and the console's page for it. */
const counted = [
  { dataType: 'user', dataName: 'Users', page: 'User', rows: sql`${users}` },
  { dataType: 'group', dataName: 'Groups', page: 'Group', rows: sql`${groups}` },
  { dataType: 'role', dataName: 'Roles', page: 'Role', rows: sql`${roles}` },
  { dataType: 'menu', dataName: 'Menus', page: 'Menu', rows: sql`${menus}` },
  { dataType: 'api', dataName: 'API entries', page: 'Api', rows: sql`${apiEntries}` },
  { dataType: 'log', dataName: 'Log entries', page: 'OperationLog', rows: visibleLogs },
] as const satisfies { dataType: Dashboard[number]['dataType']; dataName: string; page: string; rows: SQL }[]

/** How many records of each kind there are. Everybody may ask, so it says no more than that. */
export const dashboard = async (db: Db): Promise<Dashboard> => {
  const counts = counted.map(
    ({ dataType, rows }) => sql`(select count(*)::text from ${rows}) as ${sql.identifier(dataType)}`,
  )
  const [row] = await db.execute<Record<string, string>>(sql`select ${sql.join(counts, sql`, `)}`)
  return counted.map(({ dataType, dataName, page }) => {
    const menu = consoleMenus.find(({ name }) => name === page)
    return { dataType, dataName, dataCount: Number(row?.[dataType]), icon: menu?.icon ?? '', path: menu?.path ?? '' }
  })
}
