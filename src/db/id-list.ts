import { type SQL, sql } from 'drizzle-orm'

/** Ids as a set-returning expression: one parameter, however many there are. */
export const idList = (ids: readonly number[]): SQL =>
  sql`select value::bigint as id from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)`

/**
 * For `id = ${anyOfIds(ids)}`: each id is looked up by its index. A join with `idList` may be carried out by comparing all
 * with all, where the server has not counted the rows of a table that was empty a moment ago.
 */
export const anyOfIds = (ids: readonly number[]): SQL => sql`any (array(${idList(ids)}))`
