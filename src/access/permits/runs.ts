import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { idList } from '../../db/id-list.ts'
import { roles } from '../../db/schema.ts'
import { importedKeyword } from '../principal-query.ts'
import {
  type Actor,
  enabledAdministrators,
  hasAtLeastRank,
  highestRank,
  holdAdministrators,
  rankOf,
} from '../seniority.ts'
import { reachingRank } from './groups.ts'
import { issued } from './issue.ts'
import type { RunPermit } from './permit.ts'
import { lockRolesOf, rolesBeyond } from './users.ts'

/** The rank with which a run changes people. */
export interface Authority {
  /** The actor who started it, or confirmed its plan. */
  actor: Actor
  /** Whether a person looked at the plan and confirmed it, after a second factor. */
  confirmed: boolean
}

/**
 * Why a run may not change a record. `rank`: it concerns a user whose rank is too high for the actor;
 * `administrator`: it concerns an administrator, and no person has confirmed it; `mail`: with the new address the actor
 * could sign in with operations that they do not have; `last`: no enabled administrator would be left.
 */
export interface Refused {
  id: number
  why: 'rank' | 'administrator' | 'mail' | 'last'
}

/**
 * Whom the authority may not change: people of its own rank or a higher one. Where an administrator of sort 1 has
 * confirmed the plan, all may be changed. Without a confirmation a schedule changes no administrator of sort 1, and a run
 * that one of them started disables none.
 */
const rankTooHigh = (rank: number, { actor, confirmed }: Authority, userId: SQL, disables: SQL): SQL => {
  if (rank !== highestRank) return hasAtLeastRank(rank, userId)
  if (confirmed) return sql`false`
  return actor === 'operator'
    ? hasAtLeastRank(highestRank, userId)
    : sql`(${disables} and ${hasAtLeastRank(highestRank, userId)})`
}

const rankRefusal = (rank: number): Refused['why'] => (rank === highestRank ? 'administrator' : 'rank')

/**
 * Names the users that a run may not change, and allows it to change the others. The users must be locked.
 * @param people selects the users: `id`, `mail` (the new address; null: it stays), `disables`
 */
export const permitRunOnUsers = async (
  tx: Tx,
  authority: Authority,
  people: SQL,
): Promise<{ permit: RunPermit; refused: Refused[] }> => {
  const { actor } = authority
  // The role that a run gives to new users is locked with the others.
  await lockRolesOf(
    tx,
    sql`select id from (${people}) p`,
    sql`select ${roles.id} from ${roles} where ${roles.keyword} = ${importedKeyword}`,
  )
  const rank = await rankOf(tx, actor)
  const beyond =
    actor === 'operator' || rank === highestRank
      ? sql`false`
      : sql`(p.mail is not null and exists (${rolesBeyond(actor, sql`p.id`)}))`
  const rows = await tx.execute<{ id: string; why: Refused['why'] }>(sql`
    select id, why from (
      select p.id, case when ${rankTooHigh(rank, authority, sql`p.id`, sql`p.disables`)} then ${rankRefusal(rank)}
        when ${beyond} then 'mail' end as why
      from (${people}) p
    ) judged where why is not null`)
  const refused: Refused[] = rows.map(({ id, why }) => ({ id: Number(id), why }))
  const last = await lastAdministrators(
    tx,
    people,
    refused.map(({ id }) => id),
  )
  return {
    permit: { [issued]: true, tx, run: 'users' },
    refused: [...refused, ...last.map((id): Refused => ({ id, why: 'last' }))],
  }
}

/** The users that a run would disable, if they are all administrators there are. */
const lastAdministrators = async (tx: Tx, people: SQL, refused: readonly number[]): Promise<number[]> => {
  const leaving = sql`
    select p.id from (${people}) p
    where p.disables and p.id not in (${idList(refused)}) and p.id in (${enabledAdministrators})`
  const any = await tx.execute(sql`${leaving} limit 1`)
  if (any.length === 0) return []
  await holdAdministrators(tx)
  const rows = await tx.execute<{ id: string }>(sql`
    with leaving as (${leaving})
    select id from leaving where not exists (
      select from (${enabledAdministrators}) a where a.id not in (select id from leaving))`)
  return rows.map(({ id }) => Number(id))
}

/**
 * Names the groups that a run may not change, and allows it to change the others. The groups must be locked.
 * @param selection selects the groups: `id`, and `below` where the change reaches the groups below too
 */
export const permitRunOnGroups = async (
  tx: Tx,
  { actor, confirmed }: Authority,
  selection: SQL,
): Promise<{ permit: RunPermit; refused: Refused[] }> => {
  const permit: RunPermit = { [issued]: true, tx, run: 'groups' }
  const rank = await rankOf(tx, actor)
  if (rank === highestRank && (confirmed || actor !== 'operator')) return { permit, refused: [] }
  const rows = await tx.execute<{ root: string }>(reachingRank(rank, selection))
  return { permit, refused: rows.map(({ root }) => ({ id: Number(root), why: rankRefusal(rank) })) }
}
