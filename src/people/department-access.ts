import { type SQL, sql } from 'drizzle-orm'
import { reasons } from '../access/reasons.ts'
import { hasAtLeastRank, highestRank } from '../access/seniority.ts'
import type { Db } from '../db/client.ts'
import { anyOfIds, idList } from '../db/id-list.ts'
import { groupMembers, groups, roles, userRoles } from '../db/schema.ts'

/** Up to this many people of high rank, the search goes up from them; with more, down from the departments. */
const fewOfRank = 1000

/** Selects the distinct users of this rank or a higher one. */
const usersOfRank = (rank: number): SQL => sql`
  select distinct ${userRoles.userId} as id from ${userRoles} join ${roles} on ${roles.id} = ${userRoles.roleId}
  where ${roles.sort} <= ${rank}`

/** Of these departments, those that have a person of the caller's rank or a higher one in them or below. */
export const departmentsBeyond = async (db: Db, rank: number, ids: readonly number[]): Promise<Set<number>> => {
  if (rank === highestRank || ids.length === 0) return new Set()
  const ranked = await db.execute<{ id: string }>(sql`${usersOfRank(rank)} limit ${fewOfRank + 1}`)
  const rows =
    ranked.length <= fewOfRank
      ? await above(
          db,
          ranked.map(({ id }) => Number(id)),
          ids,
        )
      : await below(db, rank, ids)
  return new Set(rows.map(({ id }) => Number(id)))
}

/** From the people of high rank up to the departments that were asked for. */
const above = (db: Db, userIds: readonly number[], ids: readonly number[]) =>
  db.execute<{ id: string }>(sql`
    with recursive above as (
      select ${groups.id} as id, ${groups.parentId} as parent_id from ${groups}
      where ${groups.id} in (select ${groupMembers.groupId} from ${groupMembers}
        where ${groupMembers.userId} = ${anyOfIds(userIds)})
      union
      select g.id, g.parent_id from ${groups} g join above on g.id = above.parent_id
    )
    select id from above where id = ${anyOfIds(ids)}`)

/** From each department down until the first person of high rank. */
const below = (db: Db, rank: number, ids: readonly number[]) =>
  db.execute<{ id: string }>(sql`
    select d.id from (${idList(ids)}) as d
    where exists (
      with recursive below as (
        select d.id as id
        union all
        select g.id from ${groups} g join below on g.parent_id = below.id
      )
      select from below join ${groupMembers} m on m.group_id = below.id where ${hasAtLeastRank(rank, sql`m.user_id`)})`)

/** The `access` of a department that the caller may not rename, move or delete. */
export const beyond = { change: false, reason: reasons.subtree_users_too_strong.code }
