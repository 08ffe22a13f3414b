import { type SQL, sql } from 'drizzle-orm'
import { constant } from '../db/constant.ts'
import { written } from '../db/json-record.ts'
import { isNested } from './member-lists.ts'

// Most directories have none of what only some have, and what is read of a record is less than half then. PostgreSQL
// prepares every part of a statement each time, also those that it does not carry out in the end: for one record this
// takes longer than the rest. So there are two statements, and the shorter one does nothing where it would not be enough.

/**
 * Whether this directory is a simple one: the groups are in the nested layout and list their own members only, and people
 * have no `memberOf`, no NT hash and no hash of a scheme of its own. It is read from the table, so that all instances do
 * the same.
 */
export const isSimple = (directory: number): SQL =>
  written(sql`(
    not ${isNested} and exists (select from directories d where d.number = ${constant(directory)}
      and d.group_layout = 'nested' and d.member_of is null and d.shape->'ntHash' is null
      and d.shape->>'ownScheme' is null))`)
