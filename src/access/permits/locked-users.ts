import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { anyOfIdsAt, idListAt, idsValue } from '../../db/id-list.ts'
import { inOrder, plansAreKept, withKeptPlans } from '../../db/in-order.ts'
import { keptStatement, type Slots } from '../../db/kept-statement.ts'
import { groupMembers, roles, userRoles, users } from '../../db/schema.ts'
import { mailKeyOf } from '../../text/identity-keys.ts'
import { type Actor, highestRank, noRank, rankOfUser } from '../seniority.ts'
import type { LockedUser } from './permit.ts'

/** What a lock prevents others from doing: `change`: changing the users and the rank of their roles; `delete`: deleting the users. */
type Prevents = 'change' | 'delete'

interface Locking {
  ids: readonly number[]
  prevents: Prevents
  /** Further roles, locked together with theirs: locked later they would be out of order. */
  roleIds?: readonly number[]
}

/**
 * Locks users for this transaction, in id order, so that two changes of the same people wait for each other.
 * @returns those that exist, and the actor's rank
 */
export const lockUsers = async (
  tx: Tx,
  actor: Actor,
  { ids, prevents, roleIds = [] }: Locking,
): Promise<{ found: LockedUser[]; rank: number }> => {
  const isOne = ids.length === 1
  plansAreKept(tx)
  const isCaller = actor !== 'operator'
  const values = {
    ids: idsValue(ids),
    roleIds: JSON.stringify(roleIds),
    caller: isCaller ? actor.userId : 0,
  }
  const [, rows] = await inOrder(
    () => tx.execute(locking(values, prevents, isOne)),
    // A statement of its own: it sees the changes of the transactions that the locks waited for.
    () => tx.execute<FoundUser>(reading(values, prevents, isOne, isCaller)),
  )
  const found = rows.map(({ id, callersRank, held, ...row }): LockedUser => ({ ...row, id: Number(id) }))
  return { found, rank: rows[0]?.callersRank ?? (isCaller ? noRank : highestRank) }
}

interface Values {
  ids: number | string
  roleIds: string
  caller: number
}

type FoundUser = Omit<LockedUser, 'id'> & { id: string; callersRank: number; held: string }

// Not `for update`: a transaction that holds a group and makes one of them a member (a foreign key) must not wait for
// this one, which may be about to wait for that group.
const holds = { change: sql.raw('for no key update'), delete: sql.raw('for key share') }

const locking = keptStatement(
  (at: Slots<Values>, prevents: Prevents, isOne: boolean) => sql`
    select ${withKeptPlans}, (select count(*) from (
      select from ${users} where ${users.id} = ${anyOfIdsAt(at.ids, isOne)} order by ${users.id} ${holds[prevents]}) locked)`,
)

const reading = keptStatement((at: Slots<Values>, prevents: Prevents, isOne: boolean, isCaller: boolean) => {
  const theirs = sql`select ${userRoles.roleId} from ${userRoles} where ${userRoles.userId} = ${anyOfIdsAt(at.ids, isOne)}`
  const { rank, deciding } = isCaller ? ofCaller(at.caller) : { rank: sql`${highestRank}::int`, deciding: sql`` }
  // As a subquery: it is sent before `begin` was answered, since it begins as a read.
  return sql`select * from (
    with caller as materialized (select ${isCaller ? rankOfUser(at.caller) : rank} as rank),
    held as materialized (
      select ${roles.id} as id, ${roles.sort} as sort, ${roles.status} as status from ${roles}
      where ${roles.id} in (${theirs} union ${idListAt(at.roleIds)} ${deciding}) order by ${roles.id}
      ${prevents === 'change' ? sql`for share` : sql``})
    select ${users.id}, ${users.username}, ${users.status}, ${mailKeyOf(users.mail)} as "mailKey",
      coalesce((select min(held.sort) from ${userRoles} join held on held.id = ${userRoles.roleId}
        where ${userRoles.userId} = ${users.id}), ${noRank}::int) as rank,
      coalesce((select json_agg(${userRoles.roleId}) from ${userRoles} where ${userRoles.userId} = ${users.id}), '[]')
        as "roleIds",
      coalesce((select json_agg(${groupMembers.groupId}) from ${groupMembers} where ${groupMembers.userId} = ${users.id}), '[]')
        as "groupIds",
      (select count(*) from held) as held,
      ${rank} as "callersRank"
    from ${users} where ${users.id} = ${anyOfIdsAt(at.ids, isOne)}) found`
})

/**
 * A role that is waited for is read as it is after that, and the rest of the statement as it was before it. So the roles of
 * the caller are locked too: otherwise a change of a role that both have would count for one of them only. Those of the
 * highest rank may change everyone, and need none.
 */
const ofCaller = (id: Placeholder): { rank: SQL; deciding: SQL } => {
  const isHighest = sql`(select caller.rank from caller) = ${highestRank}::int`
  return {
    deciding: sql`
      union select own.role_id from user_roles own where own.user_id = (select ${id}::bigint) and not ${isHighest}`,
    rank: sql`
      case when ${isHighest} then ${highestRank}::int else (
        select coalesce(min(held.sort), ${noRank}::int)
        from users acting join user_roles owned on owned.user_id = acting.id join held on held.id = owned.role_id
        where acting.id = (select ${id}::bigint) and acting.status = 1 and held.status = 1) end`,
  }
}
