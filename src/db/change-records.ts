import { and, eq, gt, type SQL } from 'drizzle-orm'
import type { components } from '../generated/operations.types.ts'
import type { Db } from './client.ts'
import { jsonObject, written } from './json-record.ts'
import { batchSize, type Page } from './paging.ts'
import { runChanges } from './schema.ts'

export type ChangeRecord = components['schemas']['Change']

export interface ChangeFilter {
  action?: ChangeRecord['action']
  state?: ChangeRecord['state']
}

const record = written(
  jsonObject<ChangeRecord>({
    seq: runChanges.seq,
    action: runChanges.action,
    sourceId: runChanges.sourceId,
    recordId: runChanges.recordId,
    name: runChanges.name,
    before: runChanges.before,
    after: runChanges.after,
    state: runChanges.state,
    reason: runChanges.reason,
    stated: runChanges.stated,
  }),
)

const wantedBy = (runId: number, { action, state }: ChangeFilter): SQL | undefined =>
  and(eq(runChanges.runId, runId), action && eq(runChanges.action, action), state && eq(runChanges.state, state))

/** Reads the changes of runs in the shape of the contract, in the order in which a run makes them. */
export const changeRecords = (db: Db) => ({
  async page(
    runId: number,
    filter: ChangeFilter,
    { limit, offset }: Page,
  ): Promise<{ total: number; changes: ChangeRecord[] }> {
    const wanted = wantedBy(runId, filter)
    const rows = await db
      .select({ change: record })
      .from(runChanges)
      .where(wanted)
      .orderBy(runChanges.seq)
      .limit(limit)
      .offset(offset)
    return { total: await db.$count(runChanges, wanted), changes: rows.map(({ change }) => change) }
  },

  async *all(runId: number, filter: ChangeFilter): AsyncGenerator<ChangeRecord[], void, undefined> {
    const wanted = wantedBy(runId, filter)
    for (let after = 0; ; ) {
      const rows = await db
        .select({ change: record })
        .from(runChanges)
        .where(and(wanted, gt(runChanges.seq, after)))
        .orderBy(runChanges.seq)
        .limit(batchSize)
      const last = rows.at(-1)
      if (last === undefined) return
      yield rows.map(({ change }) => change)
      if (rows.length < batchSize) return
      after = last.change.seq
    }
  },
})
