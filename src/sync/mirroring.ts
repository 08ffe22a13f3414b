import { setTimeout as delay } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import type { RunProblem } from '../db/schema.ts'
import type { Statement } from '../failures/statement.ts'
import { mainDirectory } from '../mirror/touch.ts'
import { steadyTime } from '../runtime/clock.ts'
import { problem } from './problems.ts'
import { type RunKind, recordKindOf } from './run-request.ts'
import type { RunContext } from './runs.ts'
import { statements } from './statements.ts'

/** Milliseconds between checks of what the directory lacks; they grow with the number of records. */
const shortestPause = 100
const longestPause = 2000
/** Milliseconds without any progress after which a run stops waiting: the directory is unreachable or hangs. */
const timeout = 10_000

/**
 * Waits until the directory contains what a run changed. A change that the directory refuses is marked failed, with its
 * diagnostic. If the directory is unreachable the run does not wait: nothing is lost, the entries follow later.
 * @returns how many changes are pending, and which of them the directory has refused so far
 */
export const mirroring = async (
  db: Db,
  kind: RunKind,
  run: Pick<RunContext, 'id' | 'signal' | 'progress'>,
): Promise<RunProblem[]> => {
  const changed = sql`c.run_id = ${run.id} and c.state = 'done'`
  const entry = sql`e.directory = ${mainDirectory} and e.kind = ${recordKindOf(kind)} and e.record_id = c.record_id`
  const behind = sql`(e.version <> e.synced_version or e.deleted)`
  // By its key, which the `limit` sees to: what the statistics say is older than the changes.
  const counting = sql`
    select count(*)::int as all, count(*) filter (where ${behind} and e.next_at is not null)::int as waiting
    from run_changes c cross join lateral (select e.* from directory_entries e where ${entry} limit 1) e
    where ${changed}`
  // A comparison may make refused entries due again at any time: so one statement marks those that are refused, and
  // counts those that wait, both as of its beginning.
  const markingRefused = sql`
    with refused as (
      update run_changes c set state = 'failed', reason = 'the directory refused it: ' || e.error,
        stated = jsonb_build_object('code', ${statements.directory_refused.code}::text, 'text', 'the directory refused it: ' || e.error,
          'params', jsonb_build_object('error', coalesce(e.stated, to_jsonb(e.error))))
      from directory_entries e where ${entry} and ${changed} and ${behind} and e.next_at is null
    ) ${counting}`
  const count = async (statement: SQL): Promise<{ all: number; waiting: number }> => {
    const [row] = await db.execute<{ all: number; waiting: number }>(statement)
    return row ?? { all: 0, waiting: 0 }
  }
  /** Those that were marked already are counted too. */
  let total = 0
  let waiting = Number.POSITIVE_INFINITY
  let movedAt = steadyTime()
  let pause = shortestPause
  while (!run.signal.aborted) {
    const { all, waiting: left } = await count(counting)
    total = Math.max(total, all)
    run.progress('mirroring', total - left, total)
    const now = left === 0 ? (await count(markingRefused)).waiting : left
    if (now === 0) return []
    if (now < waiting) movedAt = steadyTime()
    else if (steadyTime() - movedAt > timeout) return late(db, now, sql`${entry} and ${changed} and ${behind}`)
    waiting = now
    await delay(pause)
    pause = Math.min(pause * 1.5, longestPause)
  }
  await count(markingRefused)
  return []
}

/** The step of a problem that ends by itself once the directory is back. */
export const followsStep = 'directory'

/** The most records in a report that the directory did not get, by name. */
const namedLate = 20

/** @param which the changes `c` and entries `e` that are pending */
const late = async (db: Db, records: number, which: SQL): Promise<RunProblem[]> => {
  // An attempt counts when the directory has answered it.
  const refused = await db.execute<{ sourceId: string; name: string; error: Statement }>(sql`
    select c.source_id as "sourceId", c.name, e.stated as error from run_changes c, directory_entries e
    where ${which} and e.next_at is not null and e.attempts > 0 and e.stated is not null
    order by c.seq limit ${namedLate}`)
  const all =
    refused.length === 0
      ? { stated: statements.directory_silent({ records }), advised: statements.follows() }
      : { stated: statements.directory_behind({ records }), advised: statements.tried_again() }
  return [
    problem({ step: followsStep, ...all }),
    ...refused.map(({ error, ...record }) =>
      problem({
        ...{ ...record, step: followsStep },
        stated: statements.not_yet_there({ error }),
        advised: statements.tried_again(),
      }),
    ),
  ]
}
