import { type SQL, sql } from 'drizzle-orm'

/** Ids as a set-returning expression: one parameter, whatever their number. */
export const idList = (ids: readonly number[]): SQL =>
  sql`select value::bigint as id from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)`

/**
 * For `id = ${anyOfIds(ids)}`: each id is looked up in the index. For a join with `idList` the planner may compare all
 * rows with all ids, where the statistics of a table date from when it was empty. Most changes are of one record: then no
 * array is made, and it expects one row, not ten. As a subquery the single id does not tempt it to plan the statement anew
 * for each value.
 */
export const anyOfIds = (ids: readonly number[]): SQL =>
  ids.length === 1 ? sql`(select ${ids[0]}::bigint)` : sql`any (array(${idList(ids)}))`
