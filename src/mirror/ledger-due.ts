import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { withoutDeadlock } from '../db/deadlock.ts'
import { anyOfIds } from '../db/id-list.ts'
import { isHeldByOther } from '../db/lease.ts'
import { type Claim, isBelowDn, pending } from './ledger-claim.ts'
import { heldRepairs } from './repairs.ts'
import type { RecordKind } from './touch.ts'

/** Decides when records are tried again, and notes why they have not arrived. */
export const ledgerDue = (db: Db) => {
  /** Changes records that are on their way. The rows are locked users before groups, as wherever both are. */
  const change = async (which: SQL, changes: SQL): Promise<void> => {
    await withoutDeadlock(() =>
      db.execute(sql`
        with late as (
          select e.kind, e.record_id from directory_entries e
          where ${pending} and ${which} order by e.kind desc, e.record_id for update)
        update directory_entries e set ${changes}
        from late l where e.kind = l.kind and e.record_id = l.record_id`),
    )
  }
  const waits = sql`e.next_at > now()`
  const isParked = sql`e.next_at is null`

  return {
    /** Notes on everything that is on its way why it does not arrive. */
    explain: (reason: string) => change(sql`not ${isParked} and e.error <> ${reason}`, sql`error = ${reason}`),

    /** Notes on everything that is on its way and has no reason yet. */
    explainSilence: (reason: string) => change(sql`not ${isParked} and e.error = ''`, sql`error = ${reason}`),

    /**
     * Makes those due that wait for their next try, and those parked for a day.
     * @param parked also those parked for less, but not those whose repair did not hold: something has changed
     */
    reconsider(kind: RecordKind, { parked }: { parked: boolean }): Promise<void> {
      const again = sql`(e.tried_at is null or e.tried_at < now() - interval '1 day'
        or (${parked} and e.repairs < ${heldRepairs}))`
      return change(sql`e.kind = ${kind} and (${waits} or (${isParked} and ${again}))`, sql`next_at = now()`)
    },

    /** Makes those of these due that wait or are parked. */
    dueNow: (kind: RecordKind, ids: readonly number[]) =>
      change(
        sql`e.kind = ${kind} and e.record_id = ${anyOfIds(ids)} and (${isParked} or ${waits})`,
        sql`next_at = now()`,
      ),

    /** Makes all that wait for a new try due at once, parked records too: what stood in their way may be gone. */
    hurry: () => change(sql`(${isParked} or ${waits})`, sql`next_at = now(), attempts = 0`),

    /**
     * Makes all groups below this one due: they wait for it, as long as it is on its way itself.
     * @returns false: nothing was done, for another instance is writing one of them
     */
    async makeDueBelow({ owner }: Claim, dn: string): Promise<boolean> {
      const [row] = await withoutDeadlock(() =>
        db.execute<{ busy: boolean }>(sql`
          with below as materialized (
            select e.record_id, ${isHeldByOther(sql`e`, owner)} as busy from directory_entries e
            where e.kind = 'group' and ${isBelowDn(dn)} order by e.record_id for update
          ), due as (
            update directory_entries e set version = e.version + 1, attempts = 0, next_at = now() from below b
            where e.kind = 'group' and e.record_id = b.record_id and not exists (select from below where busy)
          )
          select coalesce(bool_or(busy), false) as busy from below`),
      )
      return row?.busy === false
    },
  }
}
