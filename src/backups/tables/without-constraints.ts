import { sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { quoted } from './catalogue.ts'

interface Reference {
  name: string
  child: string
  childColumn: string
  parent: string
  parentColumn: string
  /** The action for a row whose parent is deleted: `c` cascade, `n` set null, otherwise it is refused. */
  onDelete: string
  definition: string
}

interface Index {
  name: string
  definition: string
}

/**
 * Drops references and indexes of these tables while `work` fills them, and creates them again. Rows may then come in
 * any order, even if they refer to each other, and an index is built once instead of row by row. Rows of other tables
 * whose parent does not exist afterwards are handled as their references say. All in the caller's transaction.
 * @throws the database's error when a reference or a unique index is violated by the new rows
 */
export const withoutConstraints = async (
  tx: Tx,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> => {
  const references = await referencesOf(tx, tables)
  const indexes = await indexesOf(tx, tables)
  const run = (statement: string): Promise<unknown> => tx.execute(sql.raw(statement))

  for (const { child, name } of references) await run(`alter table ${quoted(child)} drop constraint ${quoted(name)}`)
  for (const { name } of indexes) await run(`drop index ${quoted(name)}`)
  await work()
  const filled = new Set(tables)
  for (const reference of references) if (!filled.has(reference.child)) await resolveDanglingReferences(tx, reference)
  for (const { definition } of indexes) await run(definition)
  for (const { child, name, definition } of references) {
    await run(`alter table ${quoted(child)} add constraint ${quoted(name)} ${definition}`)
  }
}

const resolveDanglingReferences = async (
  tx: Tx,
  { child, childColumn, parent, parentColumn, onDelete }: Reference,
): Promise<void> => {
  const dangling = `where c.${quoted(childColumn)} is not null and not exists (
    select from ${quoted(parent)} p where p.${quoted(parentColumn)} = c.${quoted(childColumn)})`
  if (onDelete === 'c') await tx.execute(sql.raw(`delete from ${quoted(child)} c ${dangling}`))
  if (onDelete === 'n') {
    await tx.execute(sql.raw(`update ${quoted(child)} c set ${quoted(childColumn)} = null ${dangling}`))
  }
}

/** Other tables that a change of their references locks. */
export const referringTables = async (tx: Tx, tables: readonly string[]): Promise<string[]> => {
  const named = new Set(tables)
  const references = await referencesOf(tx, tables)
  return [...new Set(references.flatMap(({ child, parent }) => [child, parent]))].filter((name) => !named.has(name))
}

const among = (tables: readonly string[]) =>
  sql`in (select value::regclass from jsonb_array_elements_text(${JSON.stringify(tables.map(quoted))}::jsonb))`

const referencesOf = async (tx: Tx, tables: readonly string[]): Promise<Reference[]> => {
  const rows = await tx.execute<{ reference: Reference }>(sql`
    select json_build_object('name', c.conname, 'child', child.relname, 'parent', parent.relname,
      'childColumn', (select attname from pg_attribute where attrelid = c.conrelid and attnum = c.conkey[1]),
      'parentColumn', (select attname from pg_attribute where attrelid = c.confrelid and attnum = c.confkey[1]),
      'onDelete', c.confdeltype, 'definition', pg_get_constraintdef(c.oid)) as reference
    from pg_constraint c join pg_class child on child.oid = c.conrelid join pg_class parent on parent.oid = c.confrelid
    where c.contype = 'f' and (c.conrelid ${among(tables)} or c.confrelid ${among(tables)})
    order by child.relname, c.conname`)
  return rows.map((row) => row.reference)
}

/** Without those of primary keys, which references need; they cost little, because rows come in their order. */
const indexesOf = async (tx: Tx, tables: readonly string[]): Promise<Index[]> => {
  const rows = await tx.execute<{ index: Index }>(sql`
    select json_build_object('name', c.relname, 'definition', pg_get_indexdef(c.oid)) as index
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid ${among(tables)} and not exists (select from pg_constraint where conindid = c.oid and contype <> 'f')
    order by c.relname`)
  return rows.map((row) => row.index)
}
