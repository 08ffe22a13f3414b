import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { roleApis, roleMenus, roles, userRoles } from '../db/schema.ts'
import { fieldError } from '../errors.ts'
import { idList } from '../ldap/touch.ts'
import { requireExisting } from './existing.ts'
import { only } from './request-fields.ts'
import { isAdministratorRole, lockRole, requireWeaker } from './role-rules.ts'
import { type Actor, rankOf, strongest } from './seniority.ts'

/** What a role grants, and where that is written down. */
const grants = {
  'API entry': { table: roleApis, granted: sql.raw('api_id') },
  menu: { table: roleMenus, granted: sql.raw('menu_id') },
} as const

export type GrantKind = keyof typeof grants

/** The ids of what a role grants. */
export const grantedTo = (kind: GrantKind, roleId: number): SQL =>
  sql`select ${grants[kind].granted} from ${grants[kind].table} where role_id = ${roleId}`

/** What a role is to grant from now on. */
export interface Regrant {
  kind: GrantKind
  roleId: number
  ids: readonly number[]
}

/**
 * Makes these what a role grants.
 * @param field names the field an id came from, by its index in `ids`
 * @throws AppError (not_found, forbidden) naming the role or the first id that is refused
 */
export const regrant = async (
  tx: Tx,
  actor: Actor,
  wanted: Regrant,
  field: (index: number) => string,
): Promise<void> => {
  const role = await lockRole(tx, wanted.roleId, 'roleId')
  await requireWeaker(tx, actor, [role.sort], only('roleId'))
  if (isAdministratorRole(role)) {
    throw fieldError('forbidden', 'roleId', "the administrator's role grants everything for ever")
  }
  await requireExisting(tx, wanted.kind, wanted.ids, field)
  await requireHeld(tx, actor, wanted, field)
  await replaceGrants(tx, wanted)
}

/**
 * Nobody may give away what is not his: the caller's own enabled roles have to grant it. What the role has already is
 * not granted anew. The strongest may grant everything.
 */
const requireHeld = async (
  tx: Tx,
  actor: Actor,
  { kind, ids, roleId }: Regrant,
  field: (index: number) => string,
): Promise<void> => {
  if ((await rankOf(tx, actor)) === strongest) return
  const { table, granted } = grants[kind]
  const rows = await tx.execute<{ id: string }>(sql`
    select id from (${idList(ids)}) as listed
    where id not in (${grantedTo(kind, roleId)}) and id not in (
      select own.${granted} from ${table} as own
      join ${userRoles} on ${userRoles.roleId} = own.role_id and ${userRoles.userId} = ${actor.userId}
      join ${roles} on ${roles.id} = own.role_id and ${roles.status} = 1)`)
  const alien = new Set(rows.map(({ id }) => Number(id)))
  const index = ids.findIndex((id) => alien.has(id))
  if (index >= 0) throw fieldError('forbidden', field(index), `you do not hold ${kind} ${ids[index]} yourself`)
}

const replaceGrants = async (tx: Tx, { kind, roleId, ids }: Regrant): Promise<void> => {
  const { table, granted } = grants[kind]
  await tx.execute(sql`
    with wanted as (select distinct id from (${idList(ids)}) as listed),
    gone as (delete from ${table} where role_id = ${roleId} and ${granted} not in (select id from wanted))
    insert into ${table} (role_id, ${granted}) select ${roleId}::bigint, id from wanted
    on conflict do nothing`)
}
