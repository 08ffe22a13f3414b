import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { declaredAttributes, fieldRelations, groups, users } from '../../db/schema.ts'
import { type RecordKind, type Touched, touchSelected } from '../../mirror/touch.ts'
import type { Declared } from './declared.ts'
import type { Place } from './place.ts'

// Changes of all records at once. Only an administrator of the highest rank makes them, who may change every record.

const tables = { user: users, group: groups } as const

/** Rows are locked in the order of their ids, as everywhere. */
const changeAll = async (tx: Tx, kind: RecordKind, name: string, attributes: SQL): Promise<number> => {
  const table = tables[kind]
  const [row] = await tx.execute<{ records: number }>(sql`
    with held as materialized (
      select ${table.id} as id from ${table} where ${table.attributes} ? ${name}::text order by ${table.id} for no key update
    ), changed as (
      update ${table} set attributes = ${attributes}, updated_at = now() from held
      where ${table.id} = held.id returning ${table.id}
    )
    select count(*)::int as records from changed`)
  return row?.records ?? 0
}

const touchAll = (tx: Tx, kind: RecordKind, name: string): Promise<Touched[]> =>
  touchSelected(tx, kind, sql`select id from ${tables[kind]} where attributes ? ${name}::text`)

const tombstone = (id: number): string => `~${id}`

/**
 * Deletes the values of an attribute of this name that a run stored after its removal, and what records remember of a
 * removed one that a source filled: beside it the new one, which is empty, would count as emptied here, and no run would
 * fill it where what is changed here wins.
 */
export const forgetStrayValues = async (tx: Tx, kind: RecordKind, name: string): Promise<void> => {
  await changeAll(tx, kind, name, sql`${tables[kind].attributes} - ${name}::text`)
  const { id, sourceFields } = tables[kind]
  await tx.execute(sql`
    with held as materialized (
      select ${id} as id from ${tables[kind]} where ${sourceFields} ? ${name}::text order by ${id} for no key update
    )
    update ${tables[kind]} set source_fields = ${sourceFields} - ${name}::text from held where ${id} = held.id`)
}

/**
 * Removes an attribute with its values, and from the field relations. Where the directory shows it, its row stays under
 * another name, and every record with a value gets an empty list under that name: its entry loses the attribute. See
 * mirror/entry/removed-attributes.ts for the end of it.
 */
export const retire = async (
  tx: Tx,
  { id, kind, name, ldapAttribute }: Declared,
): Promise<{ records: number; touched: Touched[] }> => {
  const values = tables[kind].attributes
  await tx.execute(sql`
    update ${fieldRelations} set attributes = attributes - ${name}::text
    where attributes ? ${name}::text and flag like ${kind === 'user' ? '%\\_user' : '%\\_group'}`)
  if (ldapAttribute === '') {
    await tx.execute(sql`delete from ${declaredAttributes} where id = ${id}`)
    return { records: await changeAll(tx, kind, name, sql`${values} - ${name}::text`), touched: [] }
  }
  const left = tombstone(id)
  await tx.execute(sql`update ${declaredAttributes} set name = ${left}, removed_at = now() where id = ${id}`)
  const emptied = sql`(${values} - ${name}::text) || jsonb_build_object(${left}::text, '[]'::jsonb)`
  const records = await changeAll(tx, kind, name, emptied)
  return { records, touched: await touchAll(tx, kind, left) }
}

/**
 * Marks the records with a value of an attribute that is to be shown elsewhere. The present attribute is emptied by a
 * row like that of a removed attribute.
 */
export const moveElsewhere = async (tx: Tx, current: Declared, { ldapAttribute }: Place): Promise<Touched[]> => {
  const { kind, name } = current
  const isSame = current.ldapAttribute.toLowerCase() === ldapAttribute.toLowerCase()
  if (!isSame && current.ldapAttribute !== '') {
    const { id: _, ...row } = current
    const [made] = await tx
      .insert(declaredAttributes)
      .values({ ...row, name: '~', removedAt: sql`now()` })
      .returning({ id: declaredAttributes.id })
    if (made === undefined) throw new Error('The insert answered no row')
    const left = tombstone(made.id)
    await tx.execute(sql`update ${declaredAttributes} set name = ${left} where id = ${made.id}`)
    const values = tables[kind].attributes
    await changeAll(tx, kind, name, sql`${values} || jsonb_build_object(${left}::text, '[]'::jsonb)`)
  }
  return touchAll(tx, kind, name)
}
