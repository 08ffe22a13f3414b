import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from './client.ts'
import { reasons } from './reasons.ts'
import {
  apiEntries,
  declaredAttributes,
  groupMembers,
  groups,
  mealPlans,
  meals,
  menus,
  roleApis,
  roleMenus,
  roles,
  serviceAccounts,
  userRoles,
  users,
} from './schema.ts'

/**
 * Versions of records, by which an update finds out whether another request changed the record since it was read. A
 * version is a digest of when the row was written and of the ids that belong to the record without being in its row.
 */
const digest = (...parts: readonly SQL[]): SQL<string> => sql`md5(concat_ws('|', ${sql.join([...parts], sql`, `)}))`

const idsOf = (selection: SQL): SQL => sql`array_to_string(array(${selection} order by 1), ',')`

const versions = {
  user: {
    table: users,
    /** With the user's roles and groups. */
    version: digest(
      sql`${users.updatedAt} at time zone 'UTC'`,
      idsOf(sql`select ${userRoles.roleId} from ${userRoles} where ${userRoles.userId} = ${users.id}`),
      idsOf(sql`select ${groupMembers.groupId} from ${groupMembers} where ${groupMembers.userId} = ${users.id}`),
    ),
  },
  serviceAccount: { table: serviceAccounts, version: digest(sql`${serviceAccounts.version}`) },
  attribute: { table: declaredAttributes, version: digest(sql`${declaredAttributes.updatedAt} at time zone 'UTC'`) },
  menu: { table: menus, version: digest(sql`${menus.updatedAt} at time zone 'UTC'`) },
  api: { table: apiEntries, version: digest(sql`${apiEntries.updatedAt} at time zone 'UTC'`) },
  group: { table: groups, version: digest(sql`${groups.updatedAt} at time zone 'UTC'`, sql`${groups.parentId}`) },
  mealPlan: {
    table: mealPlans,
    /** With the plan's meals, and their status. */
    version: digest(
      sql`${mealPlans.savedAt} at time zone 'UTC'`,
      sql`array_to_string(array(
        select ${meals}::text from ${meals} where ${meals.planId} = ${mealPlans.id} order by ${meals.id}), ',')`,
    ),
  },
  meal: {
    table: meals,
    /** Without its status, which has an operation of its own. */
    version: digest(sql`(to_jsonb(${meals}) - 'status')::text`),
  },
  role: {
    table: roles,
    /** With what the role grants. */
    version: digest(
      sql`${roles.updatedAt} at time zone 'UTC'`,
      idsOf(sql`select ${roleApis.apiId} from ${roleApis} where ${roleApis.roleId} = ${roles.id}`),
      idsOf(sql`select ${roleMenus.menuId} from ${roleMenus} where ${roleMenus.roleId} = ${roles.id}`),
    ),
  },
}

export type Versioned = keyof typeof versions

/** The version of the record in the query's row. */
export const versionOf = (kind: Versioned): SQL<string> => versions[kind].version

/**
 * Refuses a change that rests on an outdated reading. The record must be locked.
 * @param version as the caller read it; undefined: the caller does not ask for this
 * @throws AppError (conflict) naming `version`
 */
export const requireVersion = async (
  tx: Queryable,
  kind: Versioned,
  id: number,
  version: string | undefined,
): Promise<void> => {
  if (version === undefined) return
  const { table, version: current } = versions[kind]
  const rows = await tx.execute(sql`select from ${table} where ${table.id} = ${id} and ${current} = ${version}`)
  if (rows.length === 0) throw reasons.changed_meanwhile.at('version')
}
