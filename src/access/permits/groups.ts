import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { inRequestOrder } from '../../db/existing.ts'
import { idList } from '../../db/id-list.ts'
import { groupMembers, groups } from '../../db/schema.ts'
import { reasons } from '../reasons.ts'
import { type Actor, hasAtLeastRank, highestRank, rankOf, requireHigherRank } from '../seniority.ts'
import { issued, permitOf } from './issue.ts'
import { lockUsers } from './locked-users.ts'
import type { MembersPermit, NewPermit, Permit } from './permit.ts'

/** A permit to create a group: it has no members yet. */
export const permitNewGroup = (tx: Tx): NewPermit<'group'> => ({ [issued]: true, tx, creates: 'group' })

/**
 * Whom a change of a group affects: no users, its members, or also those of the groups below (their DNs contain its
 * name).
 */
export type Reach = 'no users' | 'members' | 'subtree'

/**
 * Selects `root` for each group that reaches a user of this rank or a higher one; `groups` has the columns `id` and
 * `below`.
 */
export const reachingRank = (rank: number, selection: SQL): SQL => sql`
  with recursive reach as (
    select s.id as root, s.id, s.below from (${selection}) s
    union
    select r.root, g.id, true from ${groups} g join reach r on r.below and g.parent_id = r.id
  )
  select distinct r.root from reach r join ${groupMembers} m on m.group_id = r.id
  where ${hasAtLeastRank(rank, sql`m.user_id`)}`

/**
 * A permit to change groups, or to delete them. The groups must be locked, so that no user joins meanwhile.
 * @param field names the field of an id, by its index in `ids`
 * @throws AppError (forbidden) naming the first group with a member of too high a rank
 */
export const permitGroups = async (
  tx: Tx,
  actor: Actor,
  { ids, reach, field }: { ids: readonly number[]; reach: Reach; field: (index: number) => string },
): Promise<Permit<'group'>> => {
  const rank = await rankOf(tx, actor)
  if (rank !== highestRank && reach !== 'no users') {
    const selection = sql`select id, ${reach === 'subtree'} as below from (${idList(ids)}) listed`
    const rows = await tx.execute<{ root: string }>(reachingRank(rank, selection))
    const refused = new Set(rows.map(({ root }) => Number(root)))
    const index = ids.findIndex((id) => refused.has(id))
    if (index >= 0) {
      const refusal = reach === 'subtree' ? reasons.subtree_users_too_strong : reasons.group_users_too_strong
      throw refusal.at(field(index))
    }
  }
  return permitOf(tx, 'group', ids)
}

/**
 * A permit to make users join or leave groups: applications decide by groups what a user may do.
 * @throws AppError (not_found, forbidden) naming the first that does not exist or has too high a rank
 */
export const permitMembers = async (
  tx: Tx,
  actor: Actor,
  ids: readonly number[],
  field: (index: number) => string,
): Promise<MembersPermit> => {
  const { found, rank } = await lockUsers(tx, actor, { ids, prevents: 'delete' })
  const users = inRequestOrder('user', found, ids, field)
  requireHigherRank(rank, users, field)
  return { ...permitOf(tx, 'member', ids), users }
}
