import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { withoutDeadlock } from '../db/deadlock.ts'
import { belowMoving, type Claim, held, moving, pending } from './ledger-claim.ts'
import type { RecordKind } from './touch.ts'

/** A record whose entry is about to be written. */
export interface Intent {
  id: number
  /** Where it is to be; null: nowhere. */
  dn: string | null
  /** Where it was looked for; null: nowhere. */
  from: string | null
  fromTarget: string | null
  /** Whether it was found there. */
  found: boolean
}

/**
 * Whether an entry may be written, at its new place if it is to have one.
 * - `noted`: it may.
 * - `uncertain`: it may have been looked for, or found, at what is not its place any more, or it is somebody else's to
 *   write by now.
 * - `taken`: another record's entry is there, or may be; `leaving`: that one is to go elsewhere itself, and may wait for
 *   this one to do so.
 */
export type Permission = 'noted' | 'taken' | 'leaving' | 'uncertain'

/** Whoever gives places out has this lock: any number that nobody else locks. */
const placesLock = 7_302_114_907

/**
 * Notes where writes are about to take entries, so that a crash in between leaves nothing unaccounted for. A place is
 * one record's alone from then until its entry has left, as far as the ledger knows: whatever is interrupted, what is
 * found there is nobody else's.
 */
export const intend = async (
  db: Db,
  claim: Claim,
  intents: readonly Intent[],
): Promise<ReadonlyMap<number, Permission>> => {
  if (intents.length === 0) return new Map()
  const note = (ours: readonly Intent[]): SQL => sql`
    with ${moving(claim)}, wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(ours)}::jsonb)
        as w(id bigint, dn text, "from" text, "fromTarget" text, found boolean)
    ), certain as (
      select w.* from wanted w join directory_entries e on e.kind = ${claim.kind} and e.record_id = w.id
      where e.dn is not distinct from w."from" and e.target_dn is not distinct from w."fromTarget"
        and (w.found or not (${belowMoving}))
    ), holders as (
      select w.id, bool_or(${pending} and e.next_at is not null and not e.deleted) as leaving from certain w
      join directory_entries e on lower(e.dn) = lower(w.dn) or lower(e.target_dn) = lower(w.dn)
      where not (e.kind = ${claim.kind} and e.record_id = w.id)
      group by w.id
    ), noted as (
      update directory_entries e set target_dn = w.dn from certain w
      where e.kind = ${claim.kind} and e.record_id = w.id and w.dn <> coalesce(w."from", '')
        and not exists (select from holders h where h.id = w.id)
    )
    select w.id, case when c.id is null then 'uncertain' when h.id is null then 'noted'
      when h.leaving then 'leaving' else 'taken' end as permission
    from wanted w left join certain c on c.id = w.id left join holders h on h.id = w.id`
  const rows = await withoutDeadlock(() =>
    db.transaction(async (tx) => {
      // Statements of their own: the one that notes sees what was committed while these waited.
      const locked = await tx.execute<{ record_id: string }>(held(claim))
      const ours = new Set(locked.map((row) => Number(row.record_id)))
      await tx.execute(sql`select pg_advisory_xact_lock(${placesLock})`)
      const asked = intents.filter(({ id }) => ours.has(id))
      return tx.execute<{ id: string; permission: Permission }>(note(asked))
    }),
  )
  const permissions = new Map(rows.map(({ id, permission }) => [Number(id), permission]))
  return new Map(intents.map(({ id }) => [id, permissions.get(id) ?? 'uncertain']))
}

/** Whether an entry is another record's, or may be. */
export const isHeld = async (db: Db, kind: RecordKind, id: number, dn: string): Promise<boolean> => {
  const rows = await db.execute(sql`
    select from directory_entries e
    where (lower(e.dn) = lower(${dn}) or lower(e.target_dn) = lower(${dn}))
      and not (e.kind = ${kind} and e.record_id = ${id})`)
  return rows.length > 0
}
