import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../db/client.ts'
import type { GroupLayout } from './places.ts'

/** Whether the flat layout is in effect in this directory: read from the table, so that all instances do the same. */
export const isFlat = (directory: number): SQL =>
  sql`exists (select from directories d where d.number = ${directory} and d.group_layout = 'flat')`

export const groupLayoutIn = async ({ db, directory }: { db: Queryable; directory: number }): Promise<GroupLayout> => {
  const [row] = await db.execute<{ layout: GroupLayout }>(sql`
    select group_layout as layout from directories where number = ${directory}`)
  return row?.layout ?? 'nested'
}
