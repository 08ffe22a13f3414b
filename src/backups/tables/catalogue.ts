import { sql } from 'drizzle-orm'
import type { Queryable } from '../../db/client.ts'

/** A table in the database's own catalogue, so that a backup needs no list that could be incomplete. */
export interface Table {
  name: string
  columns: string[]
  /** The type of each column, in SQL. */
  types: Record<string, string>
  /** Columns of the primary key. */
  key: string[]
  /** The sequence of its identifiers, in SQL. */
  sequence: string | null
}

/**
 * Hashes beside the ones in `users`. Old copies of NT hashes would be guessable for as long as a file is kept. They come
 * back as people sign in.
 */
const leftOut = ['nt_hashes', 'scheme_hashes']

/** `backup`: what backups have and restores replace; `move`: what a move copies, which leaves no file behind. */
export type TableSelection = 'backup' | 'move'

/**
 * Every table except unlogged ones, which a crash of the server may empty: they contain only temporary data; and, for
 * backups and restores, but for some that hold what could be guessed.
 */
export const readTables = async (db: Queryable, selection: TableSelection = 'backup'): Promise<Table[]> => {
  const rows = await db.execute<{ table: Table }>(sql`
    select json_build_object(
      'name', t.relname,
      'columns', (select json_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''),
      'types', (select json_object_agg(a.attname, format_type(a.atttypid, a.atttypmod)) from pg_attribute a
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped),
      'key', (select coalesce(json_agg(a.attname order by array_position(i.indkey::int2[], a.attnum)), '[]')
        from pg_index i join pg_attribute a on a.attrelid = t.oid and a.attnum = any (i.indkey)
        where i.indrelid = t.oid and i.indisprimary),
      'sequence', (select pg_get_serial_sequence(quote_ident(t.relname), a.attname) from pg_attribute a
        where a.attrelid = t.oid and a.attidentity <> '')) as table
    from pg_class t where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and t.relpersistence = 'p'
      ${selection === 'backup' ? sql`and t.relname not in ${leftOut}` : sql``}
    order by t.relname`)
  return rows.map((row) => row.table)
}

/** A name from the catalogue, as SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const quotedList = (names: readonly string[]): string => names.map(quoted).join(', ')

/** A text as an SQL literal, for `standard_conforming_strings` on, which is PostgreSQL's default. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
