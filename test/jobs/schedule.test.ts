import { mock } from 'node:test'
import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { runs, schedules } from '../../src/db/schema.ts'
import { nextDue } from '../../src/jobs/cron.ts'
import { jobStates } from '../../src/jobs/job-states.ts'
import { type Job, openSchedule, type ScheduleOptions } from '../../src/jobs/schedule.ts'
import type { Importer } from '../../src/sync/importer.ts'
import { reasons as sources } from '../../src/sync/reasons.ts'
import type { RunRequest } from '../../src/sync/run-request.ts'
import { sourceJobs } from '../../src/sync/source-jobs.ts'
import { silent, testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'

const { db } = await testDatabase(t)
const forget = async (): Promise<void> => {
  await db.delete(schedules)
  await db.delete(runs)
}
t.afterEach(forget)

/** A clock that stands still until it is set. */
const clockAt = (start: string) => {
  let at = new Date(start)
  let reads = 0
  return {
    now: () => {
      reads += 1
      return at
    },
    reads: () => reads,
    set: (text: string): void => {
      at = new Date(text)
    },
  }
}

const start = (t: Test, jobs: readonly Job[], options: Partial<ScheduleOptions> = {}) => {
  const schedule = openSchedule({ db, jobs, log: silent, tick: 5, ...options })
  schedule.start()
  t.teardown(schedule.stop)
  return schedule
}

/** Resolves after several looks at what is due: each reads the clock. */
const someLooks = async ({ reads }: { reads: () => number }): Promise<void> => {
  const before = reads()
  await eventually(() => reads() >= before + 12, 'several looks at the clock')
}

const stateOf = async (name: string) => (await jobStates(db, [name])).get(name)
const isKnown = (name: string) => async () => (await stateOf(name)) !== undefined
const dueOf = async (name: string) => (await stateOf(name))?.nextRunAt.toISOString()

t.test('a cron expression is read in its zone', async (t) => {
  const due = (expression: string, zone: string, after: string) =>
    nextDue(expression, zone, new Date(after)).toISOString()
  t.equal(due('0 0 * * *', 'Asia/Shanghai', '2026-03-01T15:59:59.999Z'), '2026-03-01T16:00:00.000Z', 'midnight there')
  t.equal(due('0 0 * * *', 'Asia/Shanghai', '2026-03-01T16:00:00.000Z'), '2026-03-02T16:00:00.000Z', 'and not twice')
  t.equal(due('0 9 1 * *', 'America/New_York', '2026-03-01T14:00:00Z'), '2026-04-01T13:00:00.000Z', 'summer time')
})

t.test('a night when the clocks change has each run once', async (t) => {
  const nights = (expression: string, from: string, count: number): string[] => {
    const found: string[] = []
    for (let at = new Date(from); found.length < count; ) {
      at = nextDue(expression, 'Europe/Berlin', at)
      found.push(at.toISOString())
    }
    return found
  }
  t.same(
    nights('30 2 * * *', '2026-03-27T12:00:00Z', 3),
    ['2026-03-28T01:30:00.000Z', '2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z'],
    'a time that is left out is made up for right after the gap',
  )
  t.same(
    nights('30 2 * * *', '2026-10-24T12:00:00Z', 2),
    ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
    'a time that comes twice counts once',
  )
})

t.test('every zone has each run of a day once, also one that the clocks skip', async (t) => {
  const due = (expression: string, zone: string, after: string) =>
    nextDue(expression, zone, new Date(after)).toISOString()
  // 23:00 on Saturday is 00:00 on Sunday.
  for (const expression of ['30 23 * * *', '30 23 * * 6', '30 23 28 3 *', '0,30 23 * * *']) {
    t.equal(due(expression, 'America/Nuuk', '2026-03-28T23:45:00Z'), '2026-03-29T01:00:00.000Z', expression)
  }
  t.equal(due('30 23 * * *', 'America/Nuuk', '2026-03-29T01:00:00Z'), '2026-03-30T00:30:00.000Z', 'and not twice')
  t.equal(due('0,30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z'), '2026-03-29T01:00:00.000Z', 'both are skipped')
  for (const zone of [
    ...['Asia/Kathmandu', 'America/St_Johns', 'Africa/Casablanca', 'Pacific/Apia', 'Antarctica/Troll'],
    ...['Australia/Lord_Howe', 'America/Havana', 'Asia/Beirut', 'Africa/Cairo', 'America/Nuuk', 'Pacific/Chatham'],
  ]) {
    for (const [hour, minute] of [0, 1, 2, 3, 23].flatMap((hour) => [0, 15, 45].map((minute) => [hour, minute]))) {
      const expression = `${minute} ${hour} * * *`
      let [at, runs, longest] = [new Date('2026-01-01T00:00:00Z'), 0, 0]
      for (; at < new Date('2027-01-01T00:00:00Z'); runs += 1) {
        const next = nextDue(expression, zone, at)
        if (runs > 0) longest = Math.max(longest, next.getTime() - at.getTime())
        at = next
      }
      t.ok(runs >= 365 && runs <= 366 && longest <= 27 * 3_600_000, `${expression} ${zone}: ${runs} in a year`)
    }
  }
})

t.test('work is done when its expression comes due, and then waits for the next time', async (t) => {
  const clock = clockAt('2026-03-01T15:00:00Z')
  let done = 0
  const job: Job = { name: 'night', cron: '0 0 * * *', timeZone: 'Asia/Shanghai', run: async () => void done++ }
  start(t, [job], clock)
  await eventually(isKnown('night'), 'the job is known')
  t.equal(await dueOf('night'), '2026-03-01T16:00:00.000Z')
  await someLooks(clock)
  t.equal(done, 0)
  clock.set('2026-03-01T16:00:00Z')
  await eventually(async () => (await dueOf('night')) === '2026-03-02T16:00:00.000Z', 'it was done')
  await someLooks(clock)
  t.equal(done, 1)
  t.match(await stateOf('night'), { running: false, lastOkAt: clock.now(), lastError: '' })
})

t.test('jobs missed while no instance ran are run once', async (t) => {
  const clock = clockAt('2026-03-01T12:00:00Z')
  let done = 0
  const job: Job = { name: 'hourly', cron: '0 * * * *', timeZone: 'UTC', run: async () => void done++ }
  const first = start(t, [job], clock)
  await eventually(isKnown('hourly'), 'the job is known')
  await first.stop()
  clock.set('2026-03-05T12:30:00Z')
  start(t, [job], clock)
  await eventually(async () => (await dueOf('hourly')) === '2026-03-05T13:00:00.000Z', 'it was caught up with')
  await someLooks(clock)
  t.equal(done, 1, 'and not once for each hour')
})

t.test('another expression counts from the next start', async (t) => {
  const clock = clockAt('2026-03-01T12:00:00Z')
  const job = (cron: string): Job => ({ name: 'work', cron, timeZone: 'UTC', run: async () => undefined })
  for (const [cron, due] of [
    ['0 3 * * *', '2026-03-02T03:00:00.000Z'],
    ['0 18 * * *', '2026-03-01T18:00:00.000Z'],
    ['0 3 1 * *', '2026-04-01T03:00:00.000Z'],
  ] as const) {
    const schedule = start(t, [job(cron)], clock)
    await eventually(async () => (await dueOf('work')) === due, `${cron} is due at ${due}`)
    await schedule.stop()
  }
})

t.test('starting again and again does not put off what goes by an interval', async (t) => {
  const clock = clockAt('2026-03-01T12:00:00Z')
  const job: Job = { name: 'hourly', interval: 3_600_000, run: async () => undefined }
  for (const at of ['2026-03-01T12:00:00Z', '2026-03-01T12:40:00Z']) {
    clock.set(at)
    const schedule = start(t, [job], clock)
    await eventually(isKnown('hourly'), 'the job is known')
    await someLooks(clock)
    t.equal(await dueOf('hourly'), '2026-03-01T13:00:00.000Z')
    await schedule.stop()
  }
})

t.test('of two instances one does the work', async (t) => {
  const clock = clockAt('2026-03-01T12:00:00Z')
  let done = 0
  let atOnce = 0
  const job: Job = {
    name: 'work',
    cron: '* * * * *',
    timeZone: 'UTC',
    run: async () => {
      atOnce += 1
      if (atOnce > 1) throw new Error('two at a time')
      // The other instances look meanwhile.
      await someLooks(clock)
      atOnce -= 1
      done += 1
    },
  }
  for (let instance = 0; instance < 3; instance += 1) start(t, [job], clock)
  await eventually(isKnown('work'), 'the job is known')
  for (let minute = 1; minute <= 5; minute += 1) {
    clock.set(`2026-03-01T12:0${minute}:00Z`)
    await eventually(() => done === minute, `minute ${minute} was done`)
    await someLooks(clock)
    t.equal(done, minute)
  }
})

t.test('an instance that is late to begin brings nothing back that was done meanwhile', async (t) => {
  const clock = clockAt('2026-03-01T12:00:00Z')
  let done = 0
  const run = async (): Promise<void> => {
    done += 1
  }
  const job: Job = { name: 'work', cron: '* * * * *', timeZone: 'UTC', run }
  start(t, [job], clock)
  await eventually(isKnown('work'), 'the job is known')
  clock.set('2026-03-01T12:01:00Z')
  await eventually(async () => (await dueOf('work')) === '2026-03-01T12:02:00.000Z', 'it was done')
  // It looked at the clock before that.
  const late = clockAt('2026-03-01T12:00:00Z')
  start(t, [job], late)
  await someLooks(late)
  t.equal(await dueOf('work'), '2026-03-01T12:02:00.000Z')
  t.equal(done, 1)
})

t.test('a clock that was a day ahead for a while puts nothing off when it is right again', async (t) => {
  const clock = clockAt('2026-03-01T12:00:00Z')
  const done = { nightly: 0, hourly: 0 }
  const jobs: Job[] = [
    { name: 'nightly', cron: '0 3 * * *', timeZone: 'UTC', run: async () => void done.nightly++ },
    { name: 'hourly', interval: 3_600_000, run: async () => void done.hourly++ },
  ]
  start(t, jobs, clock)
  await eventually(isKnown('hourly'), 'the jobs are known')
  clock.set('2026-03-02T12:00:00Z')
  await eventually(async () => (await dueOf('hourly')) === '2026-03-02T13:00:00.000Z', 'what was due has run')
  await eventually(async () => (await dueOf('nightly')) === '2026-03-03T03:00:00.000Z', 'the nightly work too')
  clock.set('2026-03-01T12:00:10Z')
  await eventually(async () => (await dueOf('hourly')) === '2026-03-01T13:00:10.000Z', 'the hourly work is due again')
  await eventually(async () => (await dueOf('nightly')) === '2026-03-02T03:00:00.000Z', 'and the nightly work')
  await someLooks(clock)
  t.same(done, { nightly: 1, hourly: 1 }, 'without running at once')
  clock.set('2026-03-02T03:00:00Z')
  await eventually(() => done.nightly === 2 && done.hourly === 2, 'both ran in time')
})

t.test('a clock that is set back by an hour, or another that is behind, runs no nightly work twice', async (t) => {
  const clock = clockAt('2026-03-01T12:00:00Z')
  const behind = clockAt('2026-03-01T11:55:00Z')
  let done = 0
  const job: Job = { name: 'nightly', cron: '30 2 * * *', timeZone: 'UTC', run: async () => void done++ }
  start(t, [job], clock)
  start(t, [job], behind)
  await eventually(isKnown('nightly'), 'the job is known')
  behind.set('2026-03-02T02:25:00Z')
  clock.set('2026-03-02T02:30:00Z')
  await eventually(async () => (await dueOf('nightly')) === '2026-03-03T02:30:00.000Z', 'it was done')
  clock.set('2026-03-02T01:30:00Z')
  behind.set('2026-03-02T02:30:00Z')
  await Promise.all([someLooks(clock), someLooks(behind)])
  clock.set('2026-03-02T02:30:00Z')
  await someLooks(clock)
  t.equal(done, 1)
})

t.test('instances whose clocks differ do the work once, by the clock of the database', async (t) => {
  const done = { hourly: 0, nightly: 0 }
  const jobs: Job[] = [
    { name: 'hourly', interval: 3_600_000, run: async () => void done.hourly++ },
    { name: 'nightly', cron: '0 3 * * *', timeZone: 'UTC', run: async () => void done.nightly++ },
  ]
  start(t, jobs)
  await eventually(isKnown('nightly'), 'the jobs are known')
  await db.update(schedules).set({ nextRunAt: new Date(Date.now() - 1000) })
  const isOver = async (name: string): Promise<boolean> => ((await dueOf(name)) ?? '') > new Date().toISOString()
  await eventually(async () => (await isOver('hourly')) && (await isOver('nightly')), 'what was due has run')
  t.same(done, { hourly: 1, nightly: 1 })
  const due = await dueOf('nightly')
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 26 * 3_600_000 })
  t.teardown(() => mock.timers.reset())
  start(t, jobs)
  await new Promise((resolve) => setTimeout(resolve, 500))
  t.same(done, { hourly: 1, nightly: 1 })
  t.equal(await dueOf('nightly'), due)
})

t.test('work whose instance died is done by another once its lease has run out', async (t) => {
  const clock = clockAt('2026-03-01T12:00:00Z')
  let done = 0
  await db.insert(schedules).values({
    name: 'work',
    nextRunAt: new Date('2026-03-01T11:00:00Z'),
    leaseOwner: 'somebody else',
    leaseUntil: new Date(Date.now() + 60_000),
  })
  start(t, [{ name: 'work', cron: '0 * * * *', timeZone: 'UTC', run: async () => void done++ }], clock)
  await someLooks(clock)
  t.equal(done, 0, 'not before')
  t.match(await stateOf('work'), { running: true })
  await db.update(schedules).set({ leaseUntil: new Date(Date.now() - 1000) })
  await eventually(() => done === 1, 'it was done')
})

t.test('work that another instance has taken over ends, and changes nothing of what the other notes', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  let given: AbortSignal | undefined
  const run = (signal: AbortSignal): Promise<void> =>
    new Promise((_, reject) => {
      given = signal
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  const schedule = start(t, [{ name: 'work', interval: 5, run }])
  await eventually(() => given !== undefined, 'it has begun')
  const taken = { leaseOwner: 'another instance', leaseUntil: new Date(Date.now() + 60_000) }
  await db.update(schedules).set(taken)
  mock.timers.tick(10_000)
  await eventually(() => given?.aborted, 'its signal aborts')
  await schedule.stop()
  t.match(await db.select().from(schedules), [{ ...taken, attempts: 0, lastError: '', lastOkAt: null }])
})

t.test('work that takes long keeps nothing else waiting', async (t) => {
  let finish = (): void => undefined
  let short = 0
  const longWork = new Promise<void>((resolve) => {
    finish = resolve
  })
  const long: Job = { name: 'long', interval: 5, run: () => longWork }
  start(t, [long, { name: 'short', interval: 5, run: async () => void short++ }])
  await eventually(() => short >= 3, 'the short one was done three times')
  t.match(await stateOf('long'), { running: true })
  finish()
})

t.test('failed work is tried again after growing delays, at the latest when it is due anyway', async (t) => {
  const clock = clockAt('2026-03-01T12:59:00Z')
  let works = false
  let tries = 0
  const job: Job = {
    name: 'work',
    cron: '0 * * * *',
    timeZone: 'UTC',
    run: async () => {
      tries += 1
      if (!works)
        throw tries === 1 ? new Error('params: a secret') : sources.source_failed({ problem: 'the source is down' })
    },
  }
  start(t, [job], clock)
  await eventually(isKnown('work'), 'the job is known')
  const internal = { code: 'jobs.internal', params: {}, text: 'an internal error' }
  const down = { code: 'sync.source_failed', params: { problem: 'the source is down' }, text: 'the source is down' }
  for (const [at, next, stated] of [
    ['13:00', '13:05', internal],
    ['13:05', '13:15', down],
    ['13:15', '13:35', down],
    ['13:35', '14:00', down],
  ] as const) {
    clock.set(`2026-03-01T${at}:00Z`)
    await eventually(async () => (await dueOf('work')) === `2026-03-01T${next}:00.000Z`, `after ${at} comes ${next}`)
    t.match(await stateOf('work'), { lastError: stated.text, stated, lastOkAt: null })
  }
  works = true
  clock.set('2026-03-01T14:00:00Z')
  await eventually(async () => (await dueOf('work')) === '2026-03-01T15:00:00.000Z', 'it works again')
  t.match(await stateOf('work'), { lastError: '', stated: null, lastOkAt: clock.now() })
})

t.test('a job that a stop interrupts is done after the next start', async (t) => {
  const clock = clockAt('2026-03-01T12:59:00Z')
  let done = 0
  let began = 0
  const interrupted: Job['run'] = (signal) => {
    began += 1
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  const job = { name: 'work', cron: '0 * * * *', timeZone: 'UTC' }
  const first = start(t, [{ ...job, run: interrupted }], clock)
  await eventually(isKnown('work'), 'the job is known')
  clock.set('2026-03-01T13:00:00Z')
  await eventually(() => began === 1, 'it began')
  await first.stop()
  t.match(await stateOf('work'), { running: false, lastError: '' })
  clock.set('2026-03-01T13:01:00Z')
  start(t, [{ ...job, run: async () => void done++ }], clock)
  await eventually(() => done === 1, 'it was done')
})

/** Runs that end, a while after they were asked for, in the state told for their kind. */
const endingIn = (states: Record<string, string>) => {
  const asked: RunRequest[] = []
  const run: Importer['run'] = async (request) => {
    asked.push(request)
    const { slot: source, kind, creator } = request
    const row = { source, kind, creator, state: 'running' }
    const [{ id } = { id: 0 }] = await db.insert(runs).values(row).returning({ id: runs.id })
    const problem = { sourceId: '', name: '', step: 'reading', reason: '88: no permission', advice: '' }
    setTimeout(
      () =>
        db
          .update(runs)
          .set({ state: states[kind] ?? 'done', problems: [problem] })
          .where(eq(runs.id, id))
          .execute(),
      30,
    )
    return { runId: id } as Awaited<ReturnType<Importer['run']>>
  }
  return { asked, importer: { run } }
}

t.test('the departments of a source are synchronised before its people', async (t) => {
  const outcomes = {
    'both go well': [{}, ['groups', 'users'], ''],
    'people do not wait for departments that are held': [{ groups: 'held' }, ['groups', 'users'], ''],
    'people are left out where departments failed': [{ groups: 'failed' }, ['groups'], /\(groups\) failed: 88: no/],
    'people may fail too': [{ users: 'failed' }, ['groups', 'users'], /\(users\) failed: 88: no/],
  } as const
  for (const [name, [states, kinds, lastError]] of Object.entries(outcomes)) {
    await forget()
    const clock = clockAt('2026-03-01T12:59:00Z')
    const { asked, importer } = endingIn(states)
    const crons = { exta: '0 * * * *', extb: null, extc: null, extldap: null }
    const jobs = sourceJobs({ db, importer, schedules: crons, timeZone: 'UTC', log: silent })
    const schedule = start(t, jobs, clock)
    await eventually(isKnown('sync exta'), 'the job is known')
    clock.set('2026-03-01T13:00:00Z')
    await eventually(async () => (await dueOf('sync exta')) !== '2026-03-01T13:00:00.000Z', 'the job has ended')
    await schedule.stop()
    t.same(
      asked.map(({ kind }) => kind),
      kinds,
      name,
    )
    t.match(asked[0], { slot: 'exta', dryRun: false, creator: 'schedule' })
    t.match((await stateOf('sync exta'))?.lastError, lastError, name)
  }
})

t.test('a stop does not wait for an import', async (t) => {
  const clock = clockAt('2026-03-01T12:59:00Z')
  let asked = false
  const run: Importer['run'] = () => {
    asked = true
    return new Promise(() => undefined)
  }
  const crons = { exta: null, extb: '0 * * * *', extc: null, extldap: null }
  const schedule = start(
    t,
    sourceJobs({ db, importer: { run }, schedules: crons, timeZone: 'UTC', log: silent }),
    clock,
  )
  await eventually(isKnown('sync extb'), 'the job is known')
  clock.set('2026-03-01T13:00:00Z')
  await eventually(() => asked, 'the import has begun')
  await schedule.stop()
  t.match(await stateOf('sync extb'), { running: false, nextRunAt: clock.now() })
})
