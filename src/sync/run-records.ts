import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { instantText, jsonObject, written } from '../db/json-record.ts'
import { batchSize, newestFirst, type Page } from '../db/paging.ts'
import { listRecords } from '../db/record-lists.ts'
import { runs } from '../db/schema.ts'
import type { components } from '../generated/operations.types.ts'
import { slots } from '../sources/slot.ts'

export type RunSummary = components['schemas']['RunSummary']
export type RunRecord = components['schemas']['Run']

export type RunFilter = Partial<Pick<RunSummary, 'source' | 'kind' | 'state'>>

const summaryFields = {
  runId: runs.id,
  source: runs.source,
  kind: runs.kind,
  state: runs.state,
  dryRun: runs.dryRun,
  startedAt: instantText(runs.startedAt),
  finishedAt: instantText(runs.finishedAt),
  phase: runs.phase,
  progress: runs.progress,
  progressOf: runs.progressOf,
  total: runs.total,
  added: runs.added,
  updated: runs.updated,
  moved: runs.moved,
  disabled: runs.disabled,
  unchanged: runs.unchanged,
  skipped: runs.skipped,
  failed: runs.failed,
  held: runs.held,
  planHash: runs.planHash,
  heldBecause: runs.heldBecause,
  heldStatements: runs.heldStatements,
  gaps: runs.gaps,
  gapStatements: runs.gapStatements,
  creator: runs.creator,
  decidedBy: runs.decidedBy,
  decidedAt: instantText(runs.decidedAt),
}

const summary = written(jsonObject<RunSummary>(summaryFields))
const record = written(jsonObject<RunRecord>({ ...summaryFields, problems: runs.problems }))

const wantedBy = ({ source, kind, state }: RunFilter): SQL | undefined =>
  and(source && eq(runs.source, source), kind && eq(runs.kind, kind), state && eq(runs.state, state))

/** Reads runs in the shape of the contract. */
export const runRecords = (db: Db) => ({
  /** null: the run does not exist. */
  async find(id: number): Promise<RunRecord | null> {
    const [row] = await db.select({ run: record }).from(runs).where(eq(runs.id, id))
    return row?.run ?? null
  },

  /** A page of those that pass the filter, newest first, and how many there are on all pages. */
  async page(filter: RunFilter, page: Page): Promise<{ total: number; runs: RunSummary[] }> {
    const { total, records } = await listRecords(db, runs, { record: summary, wanted: wantedBy(filter), page })
    return { total, runs: records }
  },

  /** All that pass the filter, newest first, in batches. */
  async *all(filter: RunFilter): AsyncGenerator<RunSummary[], void, undefined> {
    const wanted = wantedBy(filter)
    const batches = newestFirst((before) =>
      db
        .select({ id: runs.id, run: summary })
        .from(runs)
        .where(and(wanted, sql`${runs.id} < ${before}`))
        .orderBy(sql`${runs.id} desc`)
        .limit(batchSize),
    )
    for await (const batch of batches) yield batch.map(({ run }) => run)
  },

  /** The last run of each kind from every slot, dry runs included. */
  async newest(): Promise<RunSummary[]> {
    const pairs = slots.flatMap((source) => ['groups', 'users'].map((kind) => ({ source, kind })))
    const rows = await db.execute<{ run: RunSummary }>(sql`
      select newest.run
      from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p(source text, kind text)
      cross join lateral (
        select ${summary} as run from ${runs}
        where ${runs.source} = p.source and ${runs.kind} = p.kind
        order by ${runs.id} desc limit 1
      ) as newest
      order by p.source, p.kind`)
    return rows.map(({ run }) => run)
  },
})
