import { sql } from 'drizzle-orm'
import type { Principal } from '../contract/handler.ts'
import type { Queryable } from '../db/client.ts'
import { apiEntries, roleApis, roles, secondFactors, sessions, userRoles, users } from '../db/schema.ts'
import { grantsEverything } from './administrator-role.ts'
import { demandsFactor, type SecondFactorPolicy } from './second-factor-policy.ts'
import { highestRank } from './seniority.ts'

/** The keyword of the role that imports give to every user they add; no other role can take it (see role-rules.ts). */
export const importedKeyword = 'user'

/** The rank of a user without an enabled role. */
const weakest = 1000

/** Milliseconds within which further uses of a session are not recorded. */
const lastUsePrecision = 60_000

export interface LoadedPrincipal {
  principal: Principal
  /** The one token of the session that is valid. */
  tokenId: string
  /** Whether the web console opened the session: its token is valid in the cookie only. */
  console: boolean
  /** When the session was opened. */
  openedAt: Date
  /** Including disabled roles: enabling one changes the principal. */
  heldRoleIds: readonly number[]
}

interface Row extends Record<string, unknown> {
  tokenId: string
  console: boolean
  openedAt: number
  enrolled: boolean
  userId: string
  username: string
  rank: number | null
  administrator: boolean | null
  enabledRoleIds: number[] | null
  heldRoleIds: number[] | null
  grants: string[] | null
}

/**
 * The user of a session and their permissions, in one query that also records the use of the session. null: the session
 * has ended, or its user is disabled.
 */
export const loadPrincipal = async (
  db: Queryable,
  sessionId: string,
  { secondFactor, now }: { secondFactor: SecondFactorPolicy; now: Date },
): Promise<LoadedPrincipal | null> => {
  const [row] = await db.execute<Row>(sql`
    with used as (
      update sessions set last_used_at = ${now.toISOString()}::timestamptz
      where id = ${sessionId} and ended_at is null
        and last_used_at < ${new Date(now.getTime() - lastUsePrecision).toISOString()}::timestamptz
    )
    select ${sessions.tokenId} as "tokenId", ${sessions.console} as console,
      extract(epoch from ${sessions.createdAt})::float8 * 1000 as "openedAt",
      exists (select from ${secondFactors} where user_id = ${users.id} and confirmed_at is not null) as enrolled,
      ${users.id} as "userId", ${users.username} as username,
      held.rank, held.administrator, held.enabled as "enabledRoleIds", held.ids as "heldRoleIds",
      granted.operations as grants
    from ${sessions}
    join ${users} on ${users.id} = ${sessions.userId}
    cross join lateral (
      select min(${roles.sort}) filter (where ${roles.status} = 1) as rank,
        bool_or(${grantsEverything}) filter (where ${roles.status} = 1) as administrator,
        json_agg(${roles.id}) filter (where ${roles.status} = 1) as enabled,
        json_agg(${roles.id}) as ids
      from ${userRoles} join ${roles} on ${roles.id} = ${userRoles.roleId}
      where ${userRoles.userId} = ${users.id}
    ) as held
    cross join lateral (
      select json_agg(distinct upper(${apiEntries.method}) || ' ' || ${apiEntries.path}) as operations
      from ${userRoles}
      join ${roles} on ${roles.id} = ${userRoles.roleId} and ${roles.status} = 1
      join ${roleApis} on ${roleApis.roleId} = ${roles.id}
      join ${apiEntries} on ${apiEntries.id} = ${roleApis.apiId}
      where ${userRoles.userId} = ${users.id}
    ) as granted
    where ${sessions.id} = ${sessionId} and ${sessions.endedAt} is null and ${users.status} = 1`)
  if (!row) return null
  const grants = new Set(row.grants)
  const administrator = row.administrator === true
  const rank = row.rank ?? weakest
  const mustEnrol = !row.enrolled && demandsFactor(secondFactor, { administrator: rank === highestRank })
  return {
    tokenId: row.tokenId,
    console: row.console,
    openedAt: new Date(row.openedAt),
    heldRoleIds: row.heldRoleIds ?? [],
    principal: {
      userId: Number(row.userId),
      username: row.username,
      sessionId,
      rank,
      roleIds: row.enabledRoleIds ?? [],
      ...(mustEnrol && { required: 'enrolment' as const }),
      may: (method, path) => administrator || grants.has(`${method} ${path}`),
    },
  }
}
