import { type Column, type Placeholder, type SQL, sql, type Table } from 'drizzle-orm'

/** A page by its number, as values or as placeholders for them. */
export interface NumberedWindow {
  limit: number | Placeholder
  offset: number | Placeholder
}

/**
 * The steps of a statement that reads a numbered page of a list, newest first: `counted`, a row with the `total` of all
 * pages, and `page`, the rows of one. The total is exact, so it takes a scan of all that passes; beside that a page costs
 * at most half another one, of the ids alone: one that is nearer to the end is found from there.
 * @param where `where …` for a row of `table`
 */
export const numberedPage = (table: Table & { id: Column }, where: SQL, { limit, offset }: NumberedWindow): SQL => {
  const total = sql`(select total from counted)`
  const isLate = sql`2 * ${offset}::bigint > ${total}`
  const fromEnd = sql`${total} - ${offset}::bigint`
  const ids = (direction: 'asc' | 'desc', count: SQL, skipped: SQL): SQL => sql`
    (select ${table.id} from ${table} ${where} order by ${table.id} ${sql.raw(direction)}
     limit ${count} offset ${skipped})`
  return sql`counted as materialized (select count(*) as total from ${table} ${where}),
    page as (select * from ${table} where ${table.id} = any (array(
      ${ids('desc', sql`case when ${isLate} then 0 else ${limit}::bigint end`, sql`${offset}::bigint`)}
      union all
      ${ids(
        'asc',
        sql`case when ${isLate} then greatest(least(${limit}::bigint, ${fromEnd}), 0) else 0 end`,
        sql`greatest(${fromEnd} - ${limit}::bigint, 0)`,
      )})))`
}

/** The same for a condition with an index, which costs more where it has to be judged row by row: all that pass are found once. */
export const filteredPage = (table: Table & { id: Column }, where: SQL, { limit, offset }: NumberedWindow): SQL =>
  sql`found as materialized (select ${table.id} as id from ${table} ${where}),
    counted as materialized (select count(*) as total from found),
    page as (select * from ${table} where ${table.id} = any (array(
      select id from found order by id desc limit ${limit}::bigint offset ${offset}::bigint)))`
