import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { written } from '../../db/json-record.ts'
import type { Slots } from '../../db/kept-statement.ts'
import { assigned, released } from '../../db/lease.ts'
import { withoutWaiting } from '../../db/without-waiting.ts'
import type { Outcome } from '../plan/outcome.ts'
import type { RecordKind } from '../touch.ts'
import { type Book, isRowOf } from './claim.ts'

// How an outcome is stored in its row of the ledger, `e`.

/**
 * An outcome with the current DN of its entry in the ledger. `carried`: a group above it was moved since the work
 * began. Then the DN of the ledger is right, and what was found or not found at the old DN is checked again.
 */
export type Located = Outcome & { carried: boolean }

// An attempt before its time, because a request waits for it, does not make the back-off longer.
const early = sql`e.next_at > now()`
export const attempts = sql`case when ${early} then e.attempts else e.attempts + 1 end`
export const nextTry = (seconds: SQL): SQL => sql`
  least(now() + make_interval(secs => ${seconds}), case when ${early} then e.next_at end)`

const parentArrived = sql`exists (
  select from groups g
  join directory_entries p on p.directory = e.directory and p.kind = 'group' and p.record_id = g.parent_id
  where g.id = e.record_id and p.dn is not null)`

const nextAt = sql`case o.result
  when 'parked' then case when e.version = o.version and not o.carried then null else now() end
  when 'waiting' then case when e.version <> o.version or ${parentArrived} then now() end
  when 'retry' then ${nextTry(sql`o.delay / 1000.0`)}
  else now() end`

export interface StoredOutcome extends Record<string, unknown> {
  id: string
  dn: string | null
  synced: string
  equal: boolean
}

export const fromStored = ({ id, dn, synced, equal }: StoredOutcome) => ({
  id: Number(id),
  dn,
  synced: Number(synced),
  equal,
})

/** Lists show outcomes: where a standby is read from, they have to be on the disk before they can be there. */
export const ends = ({ hasReplica }: Pick<Book, 'hasReplica'>): SQL => (hasReplica ? sql`null` : withoutWaiting)

/** Outcomes, without those of removals, as rows. */
export const outcomeRows = (located: readonly Located[]): SQL => outcomeRowsAt(outcomesValue(located))

/** Outcomes as JSON text. */
export const outcomesValue = (located: readonly Located[]): string => {
  const rows = located.map((one) => {
    const { name, action, adopt, refusedByServer, repair, error, ...written } = one
    return {
      error: error?.text ?? '',
      stated: error,
      settlesPassword: one.passwordDigest !== undefined,
      repairs: repair?.count ?? null,
      repairDigest: repair?.digest ?? null,
      ...written,
    }
  })
  return JSON.stringify(rows)
}

/** The same where the JSON text stands elsewhere. */
export const outcomeRowsAt = (at: string | Placeholder): SQL =>
  sql`select * from jsonb_to_recordset(${at}::jsonb) as o(id bigint, version bigint, result text, "from" text,
    dn text, carried boolean, unseen boolean, "entryCsn" text, "entryUuid" text, "forgetKept" boolean, "passwordDigest" text, "passwordId" uuid,
    "settlesPassword" boolean, "foreignPassword" boolean, "repairDigest" text, repairs int, error text, stated jsonb,
    delay float8)`

/** What `storing` sets. @param synced the version that the entry has then */
const changesWith = (synced: SQL): SQL => {
  /** The withdrawal may not be in the directory yet. */
  const owesMore = sql`o.result <> 'in_sync' or o.carried or e.version > ${synced}`
  return written(sql`
      synced_version = ${synced},
      version = case when e.version = ${synced} and (o.carried or o.result <> 'in_sync') then e.version + 1 else e.version end,
      dn = case when o.uncertain then e.dn else o.dn end,
      target_dn = case when o.uncertain then e.target_dn end, entry_csn = o."entryCsn",
      add_digest = case when o.uncertain then e.add_digest end,
      entry_uuid = case when o.uncertain or o.carried and o."entryUuid" is not null then e.entry_uuid else o."entryUuid" end,
      kept = case when o."forgetKept" then null else e.kept end,
      password_digest = case when o."settlesPassword" then o."passwordDigest" else e.password_digest end,
      password_id = case when o."settlesPassword" then o."passwordId" else e.password_id end,
      foreign_password_at = case when o."foreignPassword" is null then e.foreign_password_at
        when o."foreignPassword" then coalesce(e.foreign_password_at, now()) end,
      foreign_told_at = case when o."foreignPassword" is not false then e.foreign_told_at end,
      repair_digest = case when o.repairs is null then e.repair_digest else o."repairDigest" end,
      repairs = coalesce(o.repairs, e.repairs),
      joins = case when o.result = 'in_sync' then e.joins else '[]' end,
      leaves = case when o.result = 'in_sync' then e.leaves else '[]' end,
      error = o.error, stated = o.stated, ${assigned(released)},
      attempts = case o.result when 'retry' then ${attempts} when 'unsent' then e.attempts else 0 end,
      tried_at = case when o.result in ('unsent', 'waiting') then e.tried_at else now() end,
      withdraws_at = case when ${owesMore} then e.withdraws_at end,
      late_told_at = case when ${owesMore} then e.late_told_at end,
      next_at = ${nextAt}`)
}

const changes = changesWith(sql`o.synced`)

/**
 * Stores the outcomes in `reached`, and releases the leases. If a crash loses them, the records are pending as they were
 * before, and their entries are compared once more.
 */
export const storing = (book: Pick<Book, 'directory' | 'hasReplica'>, kind: RecordKind, condition: SQL): SQL =>
  storingFrom(book, kind, { outcomes: sql`reached o`, changes, condition })

interface Storing {
  outcomes: SQL
  changes: SQL
  condition: SQL
}

const storingFrom = (
  book: Pick<Book, 'directory' | 'hasReplica'>,
  kind: RecordKind,
  { outcomes, changes, condition }: Storing,
): SQL => sql`
    update directory_entries e set
      ${changes}
    from ${outcomes} where ${isRowOf(book, kind)} and e.record_id = o.id and ${condition}
    returning e.record_id as id, e.dn, e.synced_version as synced, e.version = e.synced_version as equal,
      ${ends(book)} as ended`

/** What differs between outcomes of entries that are equal to their records. */
export interface InSyncValues extends Pick<Outcome, 'id' | 'version' | 'from' | 'dn' | 'entryCsn' | 'entryUuid'> {
  passwordDigest: string | null
  passwordId: string | null
  foreignPassword: boolean | null
  repairs: number | null
  repairDigest: string | null
  error: string
  /** As JSON text. */
  stated: string | null
}

export const inSyncValues = (one: Outcome): InSyncValues => {
  const { id, version, from, dn, entryCsn, entryUuid, repair, error } = one
  return {
    ...{ id, version, from, dn, entryCsn, entryUuid, error: error?.text ?? '' },
    stated: error === null ? null : JSON.stringify(error),
    passwordDigest: one.passwordDigest ?? null,
    passwordId: one.passwordId ?? null,
    foreignPassword: one.foreignPassword ?? null,
    repairs: repair?.count ?? null,
    repairDigest: repair?.digest ?? null,
  }
}

/** What `storingInSync` depends on beside the values. */
export interface InSyncShape {
  forgetsKept: boolean
  settlesPassword: boolean
}

/** The same as `storing` for one outcome of an entry that is equal to its record, with values in their places. */
export const storingInSync = (
  book: Pick<Book, 'directory' | 'hasReplica'>,
  kind: RecordKind,
  { at, forgetsKept, settlesPassword, condition }: InSyncShape & { at: Slots<InSyncValues>; condition: SQL },
): SQL => {
  const outcomes = sql`(select ${at.id}::bigint as id, ${at.version}::bigint as version, 'in_sync' as result,
      ${at.from}::text as "from", ${at.dn}::text as dn, false as carried, false as uncertain,
      ${at.entryCsn}::text as "entryCsn", ${at.entryUuid}::text as "entryUuid", ${sql.raw(String(forgetsKept))} as "forgetKept",
      ${at.passwordDigest}::text as "passwordDigest", ${at.passwordId}::uuid as "passwordId",
      ${sql.raw(String(settlesPassword))} as "settlesPassword",
      ${at.foreignPassword}::boolean as "foreignPassword", ${at.repairDigest}::text as "repairDigest",
      ${at.repairs}::int as repairs, ${at.error}::text as error, ${at.stated}::jsonb as stated, 0::float8 as delay) o`
  return storingFrom(book, kind, { outcomes, changes: inSyncChanges, condition })
}

const inSyncChanges = changesWith(sql`greatest(e.synced_version, o.version)`)
