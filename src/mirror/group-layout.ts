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

/** A directory, its layout of groups that is in effect, and that of its settings. */
export interface DirectoryFacts {
  directory: number
  baseDn: string
  layout: GroupLayout
  /** LDAP_GROUP_LAYOUT */
  wanted: GroupLayout
}

/** With the layouts that are in effect, in the order of `directories`. */
export const directoryFacts = async (
  db: Queryable,
  directories: readonly Omit<DirectoryFacts, 'layout'>[],
): Promise<DirectoryFacts[]> => {
  const rows = await db.execute<{ number: string; layout: GroupLayout }>(sql`
    select number, group_layout as layout from directories`)
  const layouts = new Map(rows.map(({ number, layout }) => [Number(number), layout]))
  return directories.map(({ directory, baseDn, wanted }) => ({
    ...{ directory, baseDn, wanted },
    layout: layouts.get(directory) ?? 'nested',
  }))
}
