import { type Column, type SQL, sql } from 'drizzle-orm'
import { inTime } from '../../concurrency/in-time.ts'
import type { Db } from '../../db/client.ts'
import { instantText, jsonObject } from '../../db/json-record.ts'
import { directoryEntries } from '../../db/schema.ts'
import type { StatementRow } from '../../failures/statement-table.ts'
import type { components } from '../../generated/operations.types.ts'
import type { Reconciler } from '../reconciler.ts'
import { directoryFields, entryState, isMain, syncStated } from '../record-sql.ts'
import { statements } from '../statements.ts'
import type { RecordKind } from '../touch.ts'

export type EntryState = components['schemas']['EntryState']

const { waitingSince, triedAt, nextTryAt } = {
  waitingSince: directoryEntries.withdrawsAt,
  triedAt: directoryEntries.triedAt,
  nextTryAt: directoryEntries.nextAt,
} satisfies Record<string, Column>

const states = ({ code }: StatementRow): SQL => sql`${directoryEntries.stated} ->> 'code' = ${code}`

/** What has to be done so that the entry gets into the directory; null: it is there. */
const cure = sql`case
  when ${entryState} = 'synced' then null
  when ${states(statements.nowhere)} then 'configure_directory'
  when ${entryState} = 'waiting' then 'wait'
  when ${states(statements.not_ours)} then 'adopt_orphan'
  else 'change_record' end`

const unlessSynced = (value: SQL): SQL => sql`case when ${entryState} <> 'synced' then ${value} end`

/** The entry of a record as a console shows it; the row is joined by `joinDirectoryEntry`. */
export const entryRecord = jsonObject<EntryState>({
  dn: directoryFields.dn,
  state: entryState,
  waitingSince: unlessSynced(instantText(waitingSince)),
  triedAt: instantText(triedAt),
  nextTryAt: unlessSynced(instantText(nextTryAt)),
  error: sql`nullif(${directoryFields.syncError}, '')`,
  stated: syncStated,
  cure,
})

/** Milliseconds that a caller waits for a retry. The retry continues afterwards. */
const timeout = 5000

/**
 * Compares the entry of a record with the record and repairs the differences, regardless of earlier attempts. Returns
 * the state after 5 s at the latest.
 */
export const retried = async (
  { db, reconciler }: { db: Db; reconciler: Pick<Reconciler, 'synchronize'> },
  kind: RecordKind,
  id: number,
): Promise<EntryState> => {
  await inTime(timeout, reconciler.synchronize(kind, [id]), () => {})
  const [row] = await db.execute<{ entry: EntryState }>(sql`
    select ${entryRecord} as entry from ${directoryEntries}
    where ${isMain} and ${directoryEntries.kind} = ${kind} and ${directoryEntries.recordId} = ${id}`)
  return row?.entry ?? untouched
}

/** A record that was never marked for the directory. */
const untouched: EntryState = {
  ...{
    dn: '',
    state: 'waiting',
    waitingSince: null,
    triedAt: null,
    nextTryAt: null,
    error: null,
    stated: null,
    cure: 'wait',
  },
}
