import { sql } from 'drizzle-orm'
import { permitGroups } from '../../access/permits/groups.ts'
import { permitOwn, permitUser } from '../../access/permits/users.ts'
import { updateRow } from '../../access/rows.ts'
import { rolesNow } from '../../access/seniority.ts'
import type { Principal } from '../../contract/handler.ts'
import type { Db, Queryable, Tx } from '../../db/client.ts'
import { reasons as missing } from '../../db/reasons.ts'
import { requireVersion, versionOf } from '../../db/record-versions.ts'
import { only } from '../../db/request-fields.ts'
import { type AttributeValues, groups, users } from '../../db/schema.ts'
import type { FieldProblem } from '../../failures/errors.ts'
import { invalidInput } from '../../failures/reasons.ts'
import type { components } from '../../generated/operations.types.ts'
import type { Mutation } from '../../mirror/mirrored.ts'
import { type RecordKind, touch } from '../../mirror/touch.ts'
import { lockGroup } from '../group-writes.ts'
import { reasons } from '../reasons.ts'
import { updateOwn, updateUser } from '../user-writes.ts'
import {
  type Declared,
  declaredOf,
  holdDeclarations,
  mayChangeValues,
  maySee,
  type Viewer,
  type Whose,
} from './declared.ts'
import { acceptedValues } from './values.ts'

type Schemas = components['schemas']
type SetValues = Schemas['SetAttributeValues']

const tables = { user: users, group: groups } as const

/**
 * The attributes of a record that the caller may see, with their values.
 * @throws AppError (not_found) naming `id`
 */
export const readValues = async (
  db: Db,
  kind: RecordKind,
  id: number,
  { user, whose }: { user: Principal; whose: Whose },
): Promise<Schemas['AttributeValues']> => {
  const table = tables[kind]
  const [row] = await db.execute<{ attributes: AttributeValues; version: string }>(sql`
    select ${table.attributes} as attributes, ${versionOf(kind)} as version from ${table} where ${table.id} = ${id}`)
  if (row === undefined) {
    throw (kind === 'user' ? missing.user_not_found : missing.group_not_found).at('id', { id })
  }
  const declared = await declaredOf(db, kind)
  const attributes = declared
    .filter((each) => maySee(each, user, whose))
    .map((each) => ({
      name: each.name,
      labels: { en: each.labelEn, 'zh-CN': each.labelZh },
      type: each.type,
      multiple: each.multiple,
      minimum: each.minimum,
      maximum: each.maximum,
      values: row.attributes[each.name] ?? [],
      change: mayChangeValues(each, user, whose),
    }))
  return { version: row.version, attributes }
}

const heldDeclarations = async (tx: Tx, kind: RecordKind): Promise<Declared[]> => {
  await holdDeclarations(tx, kind)
  return declaredOf(tx, kind)
}

/**
 * The values to store, by the names of their attributes.
 * @throws AppError (invalid, forbidden) naming each `values.<name>`
 */
const accepted = (
  declared: readonly Declared[],
  { values }: SetValues,
  { user, whose }: { user: Viewer; whose: Whose },
): AttributeValues => {
  const known = new Map(declared.filter((each) => maySee(each, user, whose)).map((each) => [each.name, each]))
  const problems: FieldProblem[] = []
  const result: AttributeValues = {}
  for (const [name, given] of Object.entries(values)) {
    const field = `values.${name}`
    const attribute = known.get(name)
    if (attribute === undefined) {
      problems.push(reasons.attribute_unknown.problem(field))
      continue
    }
    if (!mayChangeValues(attribute, user, whose)) throw reasons.attribute_fixed.at(field)
    const checked = acceptedValues(field, given, attribute)
    problems.push(...checked.problems)
    result[name] = checked.values
  }
  if (problems.length > 0) throw invalidInput(problems)
  return result
}

const merging = (kind: RecordKind, values: AttributeValues) =>
  sql`${tables[kind].attributes} || ${JSON.stringify(values)}::jsonb`

/** Changes attributes of a person. @throws AppError */
export const writePersonValues = async (
  tx: Tx,
  id: number,
  body: SetValues,
  user: Principal,
): Promise<Mutation<null>> => {
  const declared = await heldDeclarations(tx, 'user')
  const permit = await permitUser(tx, user, id)
  await requireVersion(tx, 'user', id, body.version)
  const values = accepted(declared, body, { user: await rolesNow(tx, user), whose: 'others' })
  await updateUser(permit, id, { attributes: merging('user', values) })
  return { data: null, touched: await touch(tx, 'user', [id]) }
}

/** Changes attributes of the caller. @throws AppError */
export const writeOwnValues = async (tx: Tx, body: SetValues, user: Principal): Promise<Mutation<null>> => {
  const { userId } = user
  const declared = await heldDeclarations(tx, 'user')
  const permit = permitOwn(tx, userId, 'a session')
  await holdOwn(tx, userId)
  await requireVersion(tx, 'user', userId, body.version)
  const values = accepted(declared, body, { user: await rolesNow(tx, user), whose: 'own' })
  await updateOwn(permit, userId, { attributes: merging('user', values) })
  return { data: null, touched: await touch(tx, 'user', [userId]) }
}

const holdOwn = async (tx: Queryable, id: number): Promise<void> => {
  await tx.execute(sql`select from ${users} where ${users.id} = ${id} for no key update`)
}

/** Changes attributes of a department or group. @throws AppError */
export const writeGroupValues = async (
  tx: Tx,
  id: number,
  body: SetValues,
  user: Principal,
): Promise<Mutation<null>> => {
  const declared = await heldDeclarations(tx, 'group')
  await lockGroup(tx, id, 'id')
  await requireVersion(tx, 'group', id, body.version)
  const permit = await permitGroups(tx, user, { ids: [id], reach: 'no users', field: only('id') })
  const values = accepted(declared, body, { user: await rolesNow(tx, user), whose: 'others' })
  await updateRow(permit, groups, id, { attributes: merging('group', values) }, {})
  return { data: null, touched: await touch(tx, 'group', [id]) }
}
