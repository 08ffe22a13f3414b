import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { requireExisting } from '../db/existing.ts'
import { idList } from '../db/id-list.ts'
import { requireVersion } from '../db/record-versions.ts'
import { only } from '../db/request-fields.ts'
import { roleApis, roleMenus, roles, userRoles } from '../db/schema.ts'
import { isAdministratorRole } from './administrator-role.ts'
import { type Permit, requirePermitted } from './permits/permit.ts'
import { permitRoles } from './permits/roles.ts'
import { reasons } from './reasons.ts'
import { lockRole } from './role-rules.ts'
import { type Caller, highestRank, rankOf } from './seniority.ts'

/** The kinds of grants, and their tables. */
const grants = {
  'API entry': { table: roleApis, granted: sql.raw('api_id'), notHeld: reasons.api_not_held },
  menu: { table: roleMenus, granted: sql.raw('menu_id'), notHeld: reasons.menu_not_held },
} as const

export type GrantKind = keyof typeof grants

/** The ids of the operations or menus that a role grants. */
export const grantedTo = (kind: GrantKind, roleId: number): SQL =>
  sql`select ${grants[kind].granted} from ${grants[kind].table} where role_id = ${roleId}`

/** The new grants of a role. */
export interface Regrant {
  kind: GrantKind
  roleId: number
  ids: readonly number[]
  /** As the caller read the role; undefined: they do not ask whether it was changed since. */
  version: string | undefined
}

/**
 * Replaces the grants of a role.
 * @param field names the field of an id, by its index in `ids`
 * @throws AppError (not_found, forbidden) naming the role or the first id that is refused
 */
export const regrant = async (
  tx: Tx,
  actor: Caller,
  wanted: Regrant,
  field: (index: number) => string,
): Promise<void> => {
  const role = await lockRole(tx, wanted.roleId, 'roleId')
  await requireVersion(tx, 'role', wanted.roleId, wanted.version)
  const permit = await permitRoles(tx, actor, [role], { holders: true, field: only('roleId') })
  if (isAdministratorRole(role)) {
    throw reasons.administrator_role_grants_all.at('roleId')
  }
  await requireExisting(tx, wanted.kind, wanted.ids, field)
  await requireHeld(tx, actor, wanted, field)
  await replaceGrants(permit, wanted)
}

/**
 * Callers may grant only what their own enabled roles grant. Grants that the role has already are not checked. The
 * highest rank may grant everything.
 */
const requireHeld = async (
  tx: Tx,
  actor: Caller,
  { kind, ids, roleId }: Regrant,
  field: (index: number) => string,
): Promise<void> => {
  if ((await rankOf(tx, actor)) === highestRank) return
  const { table, granted, notHeld } = grants[kind]
  const rows = await tx.execute<{ id: string }>(sql`
    select id from (${idList(ids)}) as listed
    where id not in (${grantedTo(kind, roleId)}) and id not in (
      select own.${granted} from ${table} as own
      join ${userRoles} on ${userRoles.roleId} = own.role_id and ${userRoles.userId} = ${actor.userId}
      join ${roles} on ${roles.id} = own.role_id and ${roles.status} = 1)`)
  const alien = new Set(rows.map(({ id }) => Number(id)))
  const index = ids.findIndex((id) => alien.has(id))
  const [refused] = ids.slice(index, index + 1)
  if (index >= 0 && refused !== undefined) throw notHeld.at(field(index), { id: refused })
}

const replaceGrants = async (permit: Permit<'role'>, { kind, roleId, ids }: Regrant): Promise<void> => {
  requirePermitted(permit, [roleId])
  const { table, granted } = grants[kind]
  await permit.tx.execute(sql`
    with wanted as (select distinct id from (${idList(ids)}) as listed),
    gone as (delete from ${table} where role_id = ${roleId} and ${granted} not in (select id from wanted))
    insert into ${table} (role_id, ${granted}) select ${roleId}::bigint, id from wanted
    on conflict do nothing`)
}
