import { type Column, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'

type Wide<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : T

/**
 * A column that holds such values, and null only where the field may be null or, for callers that strip nulls, absent.
 * SQL is taken at its word.
 */
type ValueOf<T> =
  | (Column & { _: { data: Wide<NonNullable<T>>; notNull: T & (null | undefined) extends never ? true : boolean } })
  | SQL

/** Where every field of a record comes from: none may be left out. */
type JsonFields<T> = { [Name in keyof T]-?: ValueOf<T[Name]> }

/**
 * The database builds the records of the contract as JSON: a list is one value that is parsed once, whatever the number
 * of rows, and identifiers arrive as numbers.
 */
export const jsonObject = <T extends object>(fields: JsonFields<T>): SQL<T> =>
  sql`json_build_object(${members(fields)})`

/** Likewise as JSONB, for SQL that reads on in it. */
export const jsonbObject = <T extends object>(fields: JsonFields<T>): SQL<T> =>
  sql`jsonb_build_object(${members(fields)})`

const members = (fields: object): SQL =>
  sql.join(
    Object.entries<Column | SQL>({ ...fields }).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`),
    sql`, `,
  )

const dialect = new PgDialect({ casing: 'snake_case' })

/** The same SQL as text, for parts that are equal in every query: building them takes longer than running them. */
export const written = <T>(fragment: SQL<T>): SQL<T> => {
  const { sql: text, params } = dialect.sqlToQuery(fragment)
  if (params.length > 0) throw new Error('SQL with parameters cannot be written once for all')
  return sql<T>`${sql.raw(text)}`
}

/** A whole statement as `prepared` takes it, for those that the query builder cannot express. */
export const statementOf = (statement: SQL) => ({ toSQL: () => dialect.sqlToQuery(statement) })

/** RFC 3339 in UTC, with milliseconds. */
export const instantText = (instant: Column | SQL): SQL<string> =>
  sql`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** JSON as text, which the driver does not parse. */
export const asText = (json: SQL): SQL<string> => sql<string>`${json}::text`
