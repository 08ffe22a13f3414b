import { type Placeholder, type SQL, sql } from 'drizzle-orm'

/** Ids as a set-returning expression: one parameter, whatever their number. */
export const idList = (ids: readonly number[]): SQL => idListAt(JSON.stringify(ids))

/** The same where the JSON text stands elsewhere. */
export const idListAt = (at: IdsValue | Placeholder): SQL =>
  sql`select value::bigint as id from jsonb_array_elements_text(${at}::jsonb)`

/**
 * For `id = ${anyOfIds(ids)}`: each id is looked up in the index. For a join with `idList` the planner may compare all
 * rows with all ids, where the statistics of a table date from when it was empty. Most changes are of one record: then no
 * array is made, and it expects one row, not ten. As a subquery the single id does not tempt it to plan the statement anew
 * for each value.
 */
export const anyOfIds = (ids: readonly number[]): SQL => anyOfIdsAt(idsValue(ids), ids.length === 1)

/** The same where the value stands elsewhere, as in a kept statement. @param at the place of `idsValue` */
export const anyOfIdsAt = (at: IdsValue | Placeholder, isOne: boolean): SQL =>
  isOne ? sql`(select ${at}::bigint)` : sql`any (array(${idListAt(at)}))`

/** One id, or the JSON text of several. */
type IdsValue = number | string

export const idsValue = (ids: readonly number[]): IdsValue =>
  ids.length === 1 && ids[0] !== undefined ? ids[0] : JSON.stringify(ids)
