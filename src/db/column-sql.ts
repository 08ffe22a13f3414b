import { type Column, getTableColumns, type SQL, sql, type Table } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'

/** A column by its own name alone, as lists of columns and assignments write it. */
export const columnName = (column: Column): SQL => sql`${sql.identifier(toSnakeCase(column.name))}`

/** What columns of a table get, by the names the table has for them. */
export type ColumnValues<T extends Table> = Readonly<Partial<Record<keyof T['$inferInsert'], SQL>>>

const columnsIn = (table: Table, values: Readonly<Record<string, SQL>>): [name: SQL, value: SQL][] => {
  const columns = getTableColumns(table)
  return Object.entries(values).map(([name, value]) => {
    const column = columns[name]
    if (column === undefined) throw new Error(`The table has no column ${name}`)
    return [columnName(column), value]
  })
}

/** `insert into <table> (<columns>) select <values>`, without a `from`. */
export const insertSelect = <T extends Table>(table: T, values: ColumnValues<T>): SQL => {
  const columns = columnsIn(table, values as Record<string, SQL>)
  const names = sql.join(
    columns.map(([name]) => name),
    sql`, `,
  )
  const selected = sql.join(
    columns.map(([, value]) => value),
    sql`, `,
  )
  return sql`insert into ${table} (${names}) select ${selected}`
}

/** `<column> = <value>, …`, for a `set`. */
export const assignments = <T extends Table>(table: T, values: ColumnValues<T>): SQL =>
  sql.join(
    columnsIn(table, values as Record<string, SQL>).map(([name, value]) => sql`${name} = ${value}`),
    sql`, `,
  )
