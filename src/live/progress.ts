import { desc, eq, sql } from 'drizzle-orm'
import { inTime } from '../concurrency/in-time.ts'
import type { Db } from '../db/client.ts'
import { instantText, jsonObject } from '../db/json-record.ts'
import { runs, tasks } from '../db/schema.ts'
import type { components } from '../generated/operations.types.ts'
import { instanceGone, isDead, type OwnTask, type Tasks } from '../jobs/tasks.ts'
import { currentTime } from '../runtime/clock.ts'

export type Work = components['schemas']['Work']
export type ProgressSnapshot = components['schemas']['ProgressSnapshot']
export type WorkKind = Work['kind']

/** Seconds for which work that has ended is still shown. */
const shownAfterEnd = 60
const maxShown = 100
/** Milliseconds a reader waits for the database. */
const timeout = 500
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

/** As the database writes it. */
type StoredWork = Omit<Work, 'backupId'> & { backupId?: number | null }

const withoutNull = ({ backupId, ...work }: StoredWork): Work => ({
  ...work,
  ...(backupId == null ? {} : { backupId }),
})

const ofTask = jsonObject<Omit<StoredWork, 'source' | 'runKind' | 'dryRun'>>({
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

/** A task of this instance as the contract shows it. */
const shownOwn = ({ startedAt, ...task }: OwnTask): Work => ({
  ...task,
  state: 'running',
  startedAt: startedAt.toISOString(),
  finishedAt: null,
  message: '',
})

/** Work in progress on all instances, and what has just ended. */
export const progressReader = ({ db, tasks: own }: { db: Db; tasks: Pick<Tasks, 'own'> }) => {
  let latest: ProgressSnapshot = { at: new Date(currentTime()).toISOString(), work: [] }

  const readRows = async (): Promise<ProgressSnapshot> => {
    const since = sql`now() - make_interval(secs => ${shownAfterEnd})`
    const [row] = await db.execute<{ at: string; work: StoredWork[] }>(sql`
      select ${instantText(sql`now()`)} as at,
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
        ) as recent order by started_at desc limit ${maxShown}
      ) as listed`)
    latest = { at: row?.at ?? new Date(currentTime()).toISOString(), work: (row?.work ?? []).map(withoutNull) }
    return latest
  }

  /** What this instance does itself is known better here than in its row. */
  const withOwn = ({ at, work }: ProgressSnapshot): ProgressSnapshot => {
    const mine = new Map(own.own().map((task) => [`${task.kind} ${task.id}`, shownOwn(task)]))
    const known = work.map((each) => {
      const key = `${each.kind} ${each.id}`
      const newer = each.state === 'running' ? mine.get(key) : undefined
      mine.delete(key)
      return newer ?? each
    })
    return { at, work: [...mine.values(), ...known].slice(0, maxShown) }
  }

  return {
    /**
     * As it is now. The embedded database has one session, which a backup or a restore has for itself while it lasts:
     * then it is what was read last, with what this instance does.
     */
    async read(): Promise<ProgressSnapshot> {
      const late = () => ({ at: new Date(currentTime()).toISOString(), work: latest.work })
      return withOwn(await inTime(timeout, readRows(), late))
    },

    /** null: the work does not exist. */
    async find(kind: WorkKind, id: number): Promise<Work | null> {
      const [row] =
        kind === 'run'
          ? await db.select({ work: ofRun }).from(runs).where(eq(runs.id, id))
          : await db
              .select({ work: ofTask })
              .from(tasks)
              .where(sql`${tasks.id} = ${id} and ${tasks.kind} = ${kind}`)
              .orderBy(desc(tasks.id))
      if (row === undefined) return null
      const [work] = withOwn({ at: '', work: [withoutNull(row.work)] }).work.filter(
        (each) => each.kind === kind && each.id === id,
      )
      return work ?? null
    },
  }
}
