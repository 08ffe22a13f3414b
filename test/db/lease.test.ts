import { mock } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import {
  isFree,
  isHeld,
  isHeldByOther,
  isOf,
  LeaseLostError,
  leaseOf,
  type Renewal,
  released,
} from '../../src/db/lease.ts'
import { schedules } from '../../src/db/schema.ts'
import type { Moment } from '../../src/runtime/clock.ts'
import { testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'

t.test('rows and the clock of the database', async (t) => {
  const { db } = await testDatabase(t)
  const lease = leaseOf(30)
  const work = eq(schedules.name, 'work')
  const state = async () => {
    const [row] = await db
      .select({
        free: isFree(schedules),
        held: isHeld(schedules),
        mine: sql`coalesce(${isOf(schedules, 'me')}, false)`,
        others: sql`coalesce(${isHeldByOther(schedules, 'me')}, false)`,
      })
      .from(schedules)
    return row
  }
  await db.insert(schedules).values({ name: 'work', nextRunAt: new Date() })
  t.same(await state(), { free: true, held: false, mine: false, others: false }, 'never taken')
  await db.update(schedules).set(lease.taken('me')).where(work)
  t.same(await state(), { free: false, held: true, mine: true, others: false }, 'taken')
  await db.update(schedules).set({ leaseUntil: sql`now() - interval '1 second'` })
  t.same(await state(), { free: true, held: false, mine: true, others: false }, 'not renewed in time')
  await db.update(schedules).set(lease.taken('other'))
  t.same(await state(), { free: false, held: true, mine: false, others: true }, 'taken over')
  await db.update(schedules).set(released).where(work)
  t.same(await state(), { free: true, held: false, mine: false, others: false }, 'released')

  const until = async () => (await db.select({ until: schedules.leaseUntil }).from(schedules))[0]?.until?.getTime() ?? 0
  await db.update(schedules).set({ ...lease.taken('me'), leaseUntil: sql`now() - interval '1 second'` })
  const before = await until()
  const kept = leaseOf(0.06).keepRow(db, schedules, 'me', work)
  t.teardown(kept.end)
  await eventually(async () => (await until()) !== before, 'a holder that was late renews what no other has taken')
  t.equal(kept.signal.aborted, false)
  await db.update(schedules).set(lease.taken('other'))
  const theirs = await until()
  await eventually(() => kept.signal.aborted, 'the holder learns of it')
  t.ok(kept.signal.reason instanceof LeaseLostError, 'the holder learns that another has taken it')
  t.equal(await until(), theirs, 'and does not renew for the other')
})

/** A lease of 30 s whose renewals end as the test says, on clocks that the test moves. */
const keeping = (t: Test, renewal: () => Renewal | Error) => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  let at: Moment = { wall: 1_000_000, steady: 5 }
  let renewals = 0
  const kept = leaseOf(30).keep({
    now: () => at,
    async renew() {
      renewals += 1
      const outcome = renewal()
      if (outcome instanceof Error) throw outcome
      return outcome
    },
  })
  t.teardown(kept.end)
  return {
    kept,
    renewals: () => renewals,
    /** @param wall what the wall clock of the host says has passed; `steady`: the other one */
    async pass(seconds: number, { beats = true, wall = seconds, steady = seconds } = {}) {
      at = { wall: at.wall + wall * 1000, steady: at.steady + steady * 1000 }
      if (beats) mock.timers.tick(seconds * 1000)
      await new Promise(setImmediate)
    },
  }
}

t.test('a lease that is renewed stays certain', async (t) => {
  const { kept, pass, renewals } = keeping(t, () => 'renewed')
  for (let beat = 1; beat <= 10; beat += 1) await pass(10)
  t.equal(renewals(), 10)
  t.doesNotThrow(kept.confirm)
  kept.end()
  await pass(60)
  t.equal(renewals(), 10, 'until its end')
})

t.test('a lease is uncertain two seconds before its time is over', async (t) => {
  for (const renewal of ['delayed', new Error('the database does not answer')] as const) {
    const { kept, pass } = keeping(t, () => renewal)
    await pass(10)
    await pass(10)
    await pass(7.9)
    t.doesNotThrow(kept.confirm)
    await pass(0.1)
    t.throws(kept.confirm, { message: /stood still/ })
    t.equal(kept.signal.aborted, false, 'there is no proof that another has taken it')
    mock.timers.reset()
  }
})

t.test('a lease that was uncertain once stays lost', async (t) => {
  const { kept, pass } = keeping(t, () => 'renewed')
  await pass(28, { beats: false })
  t.throws(kept.confirm, { message: /stood still/ })
  await pass(10)
  t.throws(
    kept.confirm,
    { message: /stood still/ },
    'although a renewal found it ours: another may have written meanwhile',
  )
})

t.test('a clock that was set back does not make a lease longer', async (t) => {
  const { kept, pass } = keeping(t, () => 'delayed')
  await pass(20, { wall: -3600, beats: false })
  t.doesNotThrow(kept.confirm, 'nor shorter')
  await pass(8, { beats: false })
  t.throws(kept.confirm, { message: /stood still/ })
})

t.test('a host that slept counts what passed meanwhile', async (t) => {
  const { kept, pass } = keeping(t, () => 'renewed')
  await pass(28, { steady: 0, beats: false })
  t.throws(kept.confirm, { message: /stood still/ })
})

t.test('the clocks of the host tell a lease how long it was held', async (t) => {
  const real = Date.now
  t.teardown(() => (Date.now = real))
  const kept = leaseOf(2.2).keep({ renew: async () => 'delayed' })
  t.teardown(kept.end)
  t.doesNotThrow(kept.confirm)
  Date.now = () => real() - 60_000
  // More than the 200 ms for which it may be held: a timer counts from the begin of its turn of the event loop, not from here.
  await setTimeout(300)
  t.throws(kept.confirm, { message: /stood still/ })
})

t.test('a holder learns of a loss at once, and not after its end', async (t) => {
  let answer = (_renewal: Renewal): void => {}
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const renew = () => new Promise<Renewal>((resolve) => (answer = resolve))
  const lost = leaseOf(30).keep({ renew })
  mock.timers.tick(10_000)
  answer('lost')
  await new Promise(setImmediate)
  t.ok(lost.signal.reason instanceof LeaseLostError)
  t.throws(lost.confirm, { message: /taken over/ })
  lost.end()
  const ended = leaseOf(30).keep({ renew })
  mock.timers.tick(10_000)
  ended.end()
  answer('lost')
  await new Promise(setImmediate)
  t.equal(ended.signal.aborted, false, 'what the holder released itself is not lost')
})
