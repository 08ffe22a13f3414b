import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { instantText } from './json-record.ts'
import { reasons } from './reasons.ts'

/**
 * Paging by key: a page begins after the last record of the one before, so that the last page takes as long as the
 * first. The order has to have an index.
 */
export interface SortKey {
  /** Not null. */
  by: SQL
  /** How its values are written in a cursor, and read. */
  type: 'text' | 'integer' | 'instant'
  /** Whether no two records have the same; otherwise the id decides. */
  unique?: boolean
}

export interface KeysetQuery {
  cursor?: string
  /** Records per page, 1…200. */
  limit?: number
}

export interface KeysetPage<Item> {
  items: Item[]
  /** Cursors of the neighbouring pages; null: the page does not exist. */
  next: string | null
  previous: string | null
}

/** A row of a page: a record, with what a cursor needs of it. */
export interface KeyedRow extends Record<string, unknown> {
  key: string
  id: string | number
}

/** What a caller asked a list for, by the names of its parameters; undefined and an empty text ask for nothing. */
export type Asked = Readonly<Record<string, unknown>>

/** Where a page begins: after this record in the order of the list, or before it. */
interface Position {
  before: boolean
  key: string
  id: number
  /** Whether the page has that record, too, if it is still there. */
  with: boolean
}

/** An order, and where a page begins in it. */
export interface Ordered {
  /** The condition for the records of this page and all beyond it; undefined: for all. */
  beyond: SQL | undefined
  orderBy: SQL
}

export interface Keyset extends Ordered {
  /** The same for rows that have nothing but what `columns` selects: `id`, and by what they are sorted. */
  narrow: Ordered & { columns: SQL }
  /** The key of a record as a cursor has it; select it as `key`. */
  key: SQL<string>
  /** How many rows to read: one more than a page has. */
  rows: number
  /** The page of the rows that were read. */
  page<Row extends KeyedRow>(rows: readonly Row[]): KeysetPage<Row>
}

const defaultLimit = 50

/**
 * A cursor is refused in another order and with other filters than those of its page: a caller who changed one of them in
 * the middle of a list would miss what passes now and stands before it.
 * @param list `name`: of the list and its order; `filter`: all that decides which records are in the list
 * @throws AppError (invalid) naming `cursor`
 */
export const keysetOf = (
  { cursor, limit = defaultLimit }: KeysetQuery,
  { name, filter, key, id, descending }: { name: string; filter: Asked; key: SortKey; id: SQL; descending: boolean },
): Keyset => {
  const list: ListNamed = { order: `${name} ${descending ? 'desc' : 'asc'}`, filter: digestOf(filter) }
  const from = cursor === undefined ? null : readCursor(cursor, list, key.type)
  const before = from?.before ?? false
  const columns = key.unique ? [key.by] : [key.by, id]
  const direction = sql.raw(descending === before ? 'asc' : 'desc')
  const sign = sql.raw(descending === before ? '>' : '<')
  const equal = sql.raw(from?.with ? '=' : '')
  const cursorOf = ({ key, id }: KeyedRow, backwards: boolean): string =>
    writeCursor(list, { before: backwards, key, id: Number(id), with: false })
  /** Where all records of the page are gone, from where it began: the record there is the nearest one of the other page. */
  const backFrom = (backwards: boolean): string | null =>
    from !== null && before !== backwards ? writeCursor(list, { ...from, before: backwards, with: !from.with }) : null
  const ordered = (by: readonly SQL[]): Ordered => ({
    beyond: from === null ? undefined : sql`(${commas(by)}) ${sign}${equal} (${commas(valuesOf(from, key))})`,
    orderBy: commas(by.map((column) => sql`${column} ${direction}`)),
  })
  const narrow = [sql`sort_key`, sql`id`].slice(0, columns.length)
  return {
    ...ordered(columns),
    narrow: { ...ordered(narrow), columns: sql`${id} as id, ${key.by} as sort_key` },
    key: textOf(key),
    rows: limit + 1,
    page(rows) {
      const more = rows.length > limit
      const items = before ? rows.slice(0, limit).reverse() : rows.slice(0, limit)
      const [follows, precedes] = before ? [true, more] : [more, from !== null]
      const [first, last] = [items[0], items.at(-1)]
      if (first === undefined || last === undefined) return { items, next: backFrom(false), previous: backFrom(true) }
      return {
        items,
        next: follows ? cursorOf(last, false) : null,
        previous: precedes ? cursorOf(first, true) : null,
      }
    },
  }
}

const digestOf = (filter: Asked): string => {
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined && value !== '')
  asked.sort(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64url').slice(0, 16)
}

const commas = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `)

const textOf = ({ by, type }: SortKey): SQL<string> => (type === 'instant' ? instantText(by) : sql`${by}::text`)

const casts = { text: sql`text`, integer: sql`bigint`, instant: sql`timestamptz` } as const

const valuesOf = ({ key, id }: Position, { type, unique }: SortKey): SQL[] => {
  const value = sql`${key}::${casts[type]}`
  return unique ? [value] : [value, sql`${id}::bigint`]
}

/** What a cursor holds of its list. */
interface ListNamed {
  order: string
  /** A digest. */
  filter: string
}

/** What the release before this one does not know, which may serve beside it, comes last: it does not look there. */
const writeCursor = ({ order, filter }: ListNamed, { before, key, id, with: included }: Position): string =>
  Buffer.from(JSON.stringify([order, before, key, id, filter, ...(included ? [true] : [])])).toString('base64url')

const readCursor = (cursor: string, { order, filter }: ListNamed, type: SortKey['type']): Position => {
  // A cursor of the release before has no filter: its list goes on while one release takes the place of the other.
  const [named, before, key, id, asked = filter, included = false] = parsed(cursor)
  const isRight =
    named === order &&
    asked === filter &&
    typeof before === 'boolean' &&
    typeof key === 'string' &&
    isValue(key, type) &&
    Number.isSafeInteger(id) &&
    typeof included === 'boolean'
  if (!isRight) throw reasons.cursor_unusable.at('cursor')
  return { before, key, id: id as number, with: included as boolean }
}

const parsed = (cursor: string): unknown[] => {
  try {
    const content: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(content) ? content : []
  } catch {
    return []
  }
}

const isValue = (text: string, type: SortKey['type']): boolean => {
  if (type === 'integer') return Number.isSafeInteger(Number(text)) && /^\d+$/.test(text)
  if (type === 'instant') return isInstant(text)
  return !/[\0\p{Surrogate}]/u.test(text)
}

/** JavaScript reads the 30th of February as a day of March and knows a year 0; to PostgreSQL both are errors. */
const isInstant = (text: string): boolean => {
  const instant = new Date(text)
  return /^(?!0000)\d{4}-/.test(text) && !Number.isNaN(instant.getTime()) && instant.toISOString() === text
}
