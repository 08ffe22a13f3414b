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

/** Operations whose ids are of several kinds; the response of an add comes first. */
const mixed = /^\/(user\/(add|update)|group\/(addusertogroup|removeuserfromgroup)|role\/update(menus|apis))$/i

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
  [/^\/v1\/security\/alerts\//, 'alert'],
  [/^\/v1\/(operations|security)\/devices(\/|$)/, 'device'],
  [/^\/v1\/diet\/meals\//, 'meal'],
]

const kindOf = (method: string, path: string): Kind => {
  if (method === sealMethod) return path === sealPaths.delete ? 'logEntry' : 'record'
  if (mixed.test(path)) return 'record'
  return kinds.find(([pattern]) => pattern.test(path))?.[1] ?? 'record'
}

/** The mixed operations by the kinds of their ids, except the kind that the path already names. */
const mixedOf: Readonly<Partial<Record<Kind, RegExp>>> = {
  user: /^\/group\/(addusertogroup|removeuserfromgroup)$/i,
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
  const own = kinds
    .filter(([, named]) => named === kind)
    .map(([pattern]) => sql`${operationLogs.path} ~ ${pattern.source}`)
  const mixed = mixedOf[kind as Kind]
  const paths = mixed === undefined ? own : [...own, sql`${operationLogs.path} ~* ${mixed.source}`]
  // The second condition is that of the index.
  return sql`(${operationLogs.target} @> ${`[${Number(id)}]`}::jsonb and ${operationLogs.target} <> '[]'::jsonb
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
  logEntry: null,
  meal: null,
  record: null,
}

/** The records that an entry names, as they are called now. */
export const touchedRecords = async (
  db: Db,
  { method, path, target }: { method: string; path: string; target: readonly number[] },
): Promise<Touched[]> => {
  const kind = kindOf(method, path)
  const name = nameOf[kind]
  if (name === null || target.length === 0) return target.map((id) => ({ kind, id, name: null }))
  const rows = await db.execute<{ id: string; name: string | null }>(
    sql`select wanted.id, (${name}) as name from (${idList(target)}) as wanted`,
  )
  return rows.map((row) => ({ kind, id: Number(row.id), name: row.name }))
}
