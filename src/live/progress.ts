import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { instantText, jsonObject } from '../db/json-record.ts'
import { runs, tasks } from '../db/schema.ts'
import type { components } from '../generated/operations.types.ts'
import { instanceGone, isDead, type Tasks } from '../jobs/tasks.ts'

export type Work = components['schemas']['Work']
export type ProgressSnapshot = components['schemas']['ProgressSnapshot']
export type WorkKind = Work['kind']

/** Seconds for which work that has ended is still shown. */
const shownAfterEnd = 60
const mostShown = 100
/** Newest runs and tasks among which work in progress is looked for. */
const newest = 500

/** Why a run failed or is held. */
const runMessage = sql`case ${runs.state}
  when 'held' then coalesce(${runs.heldBecause} ->> 0, '')
  when 'failed' then coalesce(${runs.problems} -> 0 ->> 'reason', '') else '' end`

const ofRun = jsonObject<Omit<Work, 'backupId'>>({
  kind: sql`'run'`,
  id: runs.id,
  state: runs.state,
  phase: runs.phase,
  done: runs.progress,
  total: runs.progressOf,
  creator: runs.creator,
  startedAt: instantText(runs.startedAt),
  finishedAt: instantText(runs.finishedAt),
  message: runMessage,
  source: runs.source,
  runKind: runs.kind,
  dryRun: runs.dryRun,
})

const ofTask = jsonObject<Omit<Work, 'source' | 'runKind' | 'dryRun' | 'backupId'> & { backupId: number | null }>({
  kind: tasks.kind,
  id: tasks.id,
  state: sql`case when ${isDead} then 'failed' else ${tasks.state} end`,
  phase: tasks.phase,
  done: tasks.done,
  total: tasks.total,
  creator: tasks.creator,
  startedAt: instantText(tasks.startedAt),
  finishedAt: sql`case when ${isDead} then ${instantText(tasks.leaseUntil)} else ${instantText(tasks.finishedAt)} end`,
  message: sql`case when ${isDead} then ${instanceGone} else ${tasks.message} end`,
  backupId: tasks.backupId,
})

/** Work in progress on all instances, and what has just ended. */
export const progressReader = ({ db, tasks: own }: { db: Db; tasks: Pick<Tasks, 'progressOf'> }) => {
  /** What this instance does itself is known better here than in its row. */
  const shown = ({ backupId, ...work }: Omit<Work, 'backupId'> & { backupId?: number | null }): Work => ({
    ...work,
    ...(backupId == null ? {} : { backupId }),
    ...(work.kind === 'run' || work.state !== 'running' ? {} : own.progressOf(work.id)),
  })

  return {
    async read(): Promise<ProgressSnapshot> {
      const since = sql`now() - make_interval(secs => ${shownAfterEnd})`
      const [row] = await db.execute<{ at: string; work: Work[] }>(sql`
        select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
          coalesce(json_agg(work order by started_at desc), '[]') as work
        from (
          select work, started_at from (
            select ${ofRun} as work, ${runs.startedAt}
            from (select * from ${runs} order by ${runs.id} desc limit ${newest}) as ${runs}
            where ${runs.state} = 'running' or ${runs.finishedAt} > ${since}
            union all
            select ${ofTask}, ${tasks.startedAt}
            from (select * from ${tasks} order by ${tasks.id} desc limit ${newest}) as ${tasks}
            where ${tasks.state} = 'running' or ${tasks.finishedAt} > ${since}
          ) as recent order by started_at desc limit ${mostShown}
        ) as listed`)
      return { at: row?.at ?? new Date().toISOString(), work: (row?.work ?? []).map(shown) }
    },

    /** null: there is no such work. */
    async find(kind: WorkKind, id: number): Promise<Work | null> {
      const [row] =
        kind === 'run'
          ? await db.select({ work: ofRun }).from(runs).where(eq(runs.id, id))
          : await db
              .select({ work: ofTask })
              .from(tasks)
              .where(sql`${tasks.id} = ${id} and ${tasks.kind} = ${kind}`)
              .orderBy(desc(tasks.id))
      return row === undefined ? null : shown(row.work as Work)
    },
  }
}
