import { randomUUID } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { idList } from '../db/id-list.ts'
import { assigned, isFree, isHeldByOther, isOf, type KeptLease, leaseOf, released } from '../db/lease.ts'
import { serviceEntries } from '../db/schema.ts'

/** Another instance may take over what an instance holds and has not renewed. */
const lease = leaseOf(15)

/**
 * The right of this instance to write the entries of accounts in one directory. Without it, what an instance read before
 * a change could arrive after the change, by another instance, was written: an ended password would be valid again, and
 * if the instance died then, no other would know.
 */
export interface ServiceLeases {
  /** Whether this instance holds row `e`. */
  isOwn: SQL
  /** Whether another one does. */
  isHeld: SQL
  /** Takes those of these accounts that no other instance holds, until `releaseAll`. */
  take(accounts: readonly number[]): Promise<KeptLease>
  releaseAll(): Promise<void>
}

export const serviceLeases = ({ db, number }: { db: Db; number: number }): ServiceLeases => {
  const owner = randomUUID()
  const { leaseUntil } = lease.taken(owner)
  const isOwn = isOf(sql`e`, owner)
  return {
    isOwn,
    isHeld: sql`coalesce(${isHeldByOther(sql`e`, owner)}, false)`,
    async take(accounts) {
      // Its time begins before the request.
      const kept = lease.keepRow(db, serviceEntries, owner, sql`${serviceEntries.directory} = ${number}`)
      try {
        await db.execute(sql`
          insert into service_entries as e (directory, account_id, lease_owner, lease_until)
          select ${number}, id, ${owner}, ${leaseUntil} from (${idList(accounts)}) s order by id
          on conflict (directory, account_id) do update
          set lease_owner = excluded.lease_owner, lease_until = excluded.lease_until
          where ${isFree(sql`e`)} or ${isOwn}`)
        return kept
      } catch (error) {
        kept.end()
        throw error
      }
    },
    async releaseAll() {
      await db.execute(sql`
        update service_entries e set ${assigned(released)} where e.directory = ${number} and ${isOwn}`)
    },
  }
}
