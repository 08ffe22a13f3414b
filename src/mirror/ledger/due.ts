import { type SQL, sql } from 'drizzle-orm'
import { withoutDeadlock } from '../../db/deadlock.ts'
import { anyOfIds } from '../../db/id-list.ts'
import { isHeldByOther } from '../../db/lease.ts'
import type { Statement } from '../../failures/statement.ts'
import { heldRepairs } from '../plan/repairs.ts'
import { asJson } from '../statements.ts'
import type { RecordKind } from '../touch.ts'
import { type Book, type Claim, isBelowDn, isRowOf, pending } from './claim.ts'

const because = (reason: Statement): SQL => sql`error = ${reason.text}, stated = ${asJson(reason)}`

/** Sets when records are retried, and why they are not in the directory yet. */
export const ledgerDue = ({ db, ...book }: Book) => {
  /**
   * Changes rows of records that are not in the directory yet. Rows of users are locked before rows of groups, as
   * everywhere.
   */
  const change = async (which: SQL, changes: SQL): Promise<void> => {
    await withoutDeadlock(() =>
      db.execute(sql`
        with late as (
          select e.kind, e.record_id from directory_entries e
          where e.directory = ${book.directory} and ${pending} and ${which} order by e.kind desc, e.record_id for update)
        update directory_entries e set ${changes}
        from late l where e.directory = ${book.directory} and e.kind = l.kind and e.record_id = l.record_id`),
    )
  }
  const waits = sql`e.next_at > now()`
  const isParked = sql`e.next_at is null`

  return {
    /** Stores the reason for all records that are not in the directory yet. */
    explain: (reason: Statement) => change(sql`not ${isParked} and e.error <> ${reason.text}`, because(reason)),

    /** Stores the reason for all records that are not in the directory yet and have no reason. */
    explainSilence: (reason: Statement) => change(sql`not ${isParked} and e.error = ''`, because(reason)),

    /**
     * Makes records due that wait for a retry, and records that have been parked for a day.
     * @param parked also records that have been parked for less, because something has changed, but not those whose
     *   repair did not hold
     */
    reconsider(kind: RecordKind, { parked }: { parked: boolean }): Promise<void> {
      const again = sql`(e.tried_at is null or e.tried_at < now() - interval '1 day'
        or (${parked} and e.repairs < ${heldRepairs}))`
      return change(sql`${isRowOf(book, kind)} and (${waits} or (${isParked} and ${again}))`, sql`next_at = now()`)
    },

    /** Makes these records due, if they wait or are parked. */
    dueNow: (kind: RecordKind, ids: readonly number[]) =>
      change(
        sql`${isRowOf(book, kind)} and e.record_id = ${anyOfIds(ids)} and (${isParked} or ${waits})`,
        sql`next_at = now()`,
      ),

    /** Makes all waiting and parked records due at once: the obstacle may have been removed. */
    makeAllDue: () => change(sql`(${isParked} or ${waits})`, sql`next_at = now(), attempts = 0`),

    /**
     * Makes all groups below this one due. They wait for it until it is in the directory itself.
     * @returns false: nothing was done, because another instance is writing one of them
     */
    async makeDueBelow({ owner }: Claim, dn: string): Promise<boolean> {
      const [row] = await withoutDeadlock(() =>
        db.execute<{ busy: boolean }>(sql`
          with below as materialized (
            select e.record_id, ${isHeldByOther(sql`e`, owner)} as busy from directory_entries e
            where ${isRowOf(book, 'group')} and ${isBelowDn(dn)} order by e.record_id for update
          ), due as (
            update directory_entries e set version = e.version + 1, attempts = 0, next_at = now() from below b
            where ${isRowOf(book, 'group')} and e.record_id = b.record_id and not exists (select from below where busy)
          )
          select coalesce(bool_or(busy), false) as busy from below`),
      )
      return row?.busy === false
    },
  }
}
