import { type SQL, sql } from 'drizzle-orm'
import { type ContractDocument, entryPath } from '../contract/document.ts'
import type { Db } from '../db/client.ts'
import { idList } from '../db/id-list.ts'
import { operationLogs } from '../db/schema.ts'
import { documents } from '../generated/documents.ts'
import type { components } from '../generated/operations.types.ts'
import { sealMethod, sealPaths } from './entry.ts'

type Touched = components['schemas']['TouchedRecord']
type Kind = Touched['kind']

/** The operations by what API entries write. */
const operationOf = new Map(
  documents.flatMap((document: ContractDocument) =>
    document.operations.map((operation): [string, string] => [
      `${operation.method} ${entryPath(document, operation)}`,
      operation.id,
    ]),
  ),
)

/** The id of the operation that an entry is about; null: the service has no such operation. */
export const operationIdOf = (method: string, path: string): string | null =>
  operationOf.get(`${method} ${path}`) ?? null

/** Operations whose ids are of several kinds. The first is of the kind that the path names (see contract/touched-ids.ts). */
const mixed = /^\/(user\/(add|update)|group\/(adduser|removeuser)|role\/update(menus|apis))$/i

/** Whether an operation names records of several kinds. */
export const isMixed = (path: string): boolean => mixed.test(path)

/** What the other ids are; absent: departments and roles, which the entry does not tell apart. */
const others: readonly (readonly [RegExp, Kind])[] = [
  [/^\/group\/(adduser|removeuser)$/i, 'user'],
  [/^\/role\/updatemenus$/i, 'menu'],
  [/^\/role\/updateapis$/i, 'api'],
]

const kinds: readonly (readonly [RegExp, Kind])[] = [
  [/^\/(user|v1\/operations\/(users|people))\//, 'user'],
  [/^\/(group|v1\/operations\/(groups|departments))\//, 'group'],
  [/^\/role\//, 'role'],
  [/^\/menu\//, 'menu'],
  [/^\/api\//, 'api'],
  [/^\/fieldrelation\//i, 'fieldRelation'],
  [/^\/(log\/operation|v1\/operations\/log)\//, 'logEntry'],
  [/^\/v1\/operations\/runs\//, 'run'],
  [/^\/v1\/(operations|security)\/backups?(\/|$)/, 'backup'],
  [/^\/v1\/(operations|security)\/alerts\//, 'alert'],
  [/^\/v1\/(operations|security)\/devices(\/|$)/, 'device'],
  [/^\/v1\/operations\/service-accounts(\/|$)/, 'serviceAccount'],
  [/^\/v1\/operations\/attributes(\/|$)/, 'attribute'],
  [/^\/v1\/diet\/meals\//, 'meal'],
]

/** Of what kind the records are that an operation names first. */
export const kindOf = (method: string, path: string): Kind => {
  if (method === sealMethod) return path === sealPaths.delete ? 'logEntry' : 'record'
  return kinds.find(([pattern]) => pattern.test(path))?.[1] ?? 'record'
}

/** The mixed operations by the kinds of their ids, except the kind that the path already names. */
const mixedOf: Readonly<Partial<Record<Kind, RegExp>>> = {
  user: /^\/group\/(adduser|removeuser)$/i,
  group: /^\/user\/(add|update)$/i,
  role: /^\/user\/(add|update)$/i,
  menu: /^\/role\/updatemenus$/i,
  api: /^\/role\/updateapis$/i,
}

/**
 * The condition for entries of operations that touched a record. PostgreSQL reads these patterns as JavaScript does.
 * @param record its kind and id: `user:12`
 */
export const touching = (record: string): SQL => {
  const [kind = '', id = ''] = record.split(':')
  const { path, target } = operationLogs
  const isFirst = sql`${target} -> 0 = ${String(Number(id))}::jsonb`
  const own = kinds
    .filter(([, named]) => named === kind)
    .map(([pattern]) => sql`(${path} ~ ${pattern.source} and (${path} !~* ${mixed.source} or ${isFirst}))`)
  const other = mixedOf[kind as Kind]
  // In older entries an id that two records share is there once.
  const isAgain = sql`jsonb_path_exists(${target}, '$[1 to last] ? (@ == $id)', jsonb_build_object('id', ${Number(id)}::bigint))`
  const isOther = sql`(not ${isFirst} or jsonb_array_length(${target}) = 1 or ${isAgain})`
  const paths = other === undefined ? own : [...own, sql`(${path} ~* ${other.source} and ${isOther})`]
  // The second condition is that of the index.
  return sql`(${target} @> ${`[${Number(id)}]`}::jsonb and ${target} <> '[]'::jsonb
    and ${operationLogs.method} <> ${sealMethod} and (${sql.join(paths, sql` or `)}))`
}

/** By what a record of each kind is known; null: by its id only. */
const nameOf: Readonly<Record<Kind, SQL | null>> = {
  user: sql`select username from users where id = wanted.id`,
  group: sql`select group_name from groups where id = wanted.id`,
  role: sql`select name from roles where id = wanted.id`,
  menu: sql`select title from menus where id = wanted.id`,
  api: sql`select method || ' ' || path from api_entries where id = wanted.id`,
  fieldRelation: sql`select flag from field_relations where id = wanted.id`,
  run: sql`select source || ' ' || kind from runs where id = wanted.id`,
  backup: sql`select path from backups where id = wanted.id`,
  alert: sql`select title from alerts where id = wanted.id`,
  device: sql`select name from devices where id = wanted.id`,
  serviceAccount: sql`select name from service_accounts where id = wanted.id`,
  attribute: sql`select name from declared_attributes where id = wanted.id and removed_at is null`,
  logEntry: null,
  meal: null,
  record: null,
}

/** What a record is called now, in SQL that has its id as `wanted.id`. */
export const nameByKind = (kind: SQL): SQL => {
  const named = Object.entries(nameOf).filter((each): each is [Kind, SQL] => each[1] !== null)
  return sql`case ${kind} ${sql.join(
    named.map(([kind, name]) => sql`when ${sql.raw(`'${kind}'`)} then (${name})`),
    sql` `,
  )} end`
}

/** The records that an entry names, as they are called now. */
export const touchedRecords = async (
  db: Db,
  { method, path, target }: { method: string; path: string; target: readonly number[] },
): Promise<Touched[]> => {
  const kind = kindOf(method, path)
  if (method === sealMethod || !isMixed(path)) return recordsOf(db, kind, target)
  const other = others.find(([pattern]) => pattern.test(path))?.[1] ?? 'record'
  return [...(await recordsOf(db, kind, target.slice(0, 1))), ...(await recordsOf(db, other, target.slice(1)))]
}

const recordsOf = async (db: Db, kind: Kind, ids: readonly number[]): Promise<Touched[]> => {
  const name = nameOf[kind]
  if (name === null || ids.length === 0) return ids.map((id) => ({ kind, id, name: null }))
  const rows = await db.execute<{ id: string; name: string | null }>(
    sql`select wanted.id, (${name}) as name from (${idList(ids)}) as wanted`,
  )
  return rows.map((row) => ({ kind, id: Number(row.id), name: row.name }))
}
