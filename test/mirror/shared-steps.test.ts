import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import type { Recorded } from '../../src/mirror/ledger/record-in-one-trip.ts'
import type { Outcome } from '../../src/mirror/plan/outcome.ts'
import type { Batches } from '../../src/mirror/writing/batches.ts'
import { sharedSteps } from '../../src/mirror/writing/shared-steps.ts'

const recorded: Recorded = { kind: 'user', reached: new Map(), equal: new Set(), groupsDue: [] }
const outcome = (id: number): Outcome => ({ id, result: 'in_sync' }) as Outcome

/** Batches that end when they are told to. */
const batches = () => {
  const asked: { kind: string; ids: readonly number[]; end: (how?: Error) => void }[] = []
  const step: Batches['step'] = (kind, scope, took) =>
    new Promise((resolve, reject) => {
      if (typeof scope === 'string') throw new Error('It asks by ids')
      const end = (how?: Error): void => {
        if (how !== undefined) {
          reject(how)
          return
        }
        const outcomes = scope.ids.map(outcome)
        took?.(outcomes, recorded)
        resolve(outcomes)
      }
      asked.push({ kind, ids: scope.ids, end })
    })
  return { asked, step: sharedSteps(step).step }
}

t.test('what comes while a batch is under way goes together in the next one', async (t) => {
  const { asked, step } = batches()
  const told: number[] = []
  const first = step('user', [1], () => told.push(1))
  const second = step('user', [2, 3], () => told.push(2))
  const third = step('user', [3, 4], () => told.push(3))
  t.strictSame(
    asked.map(({ ids }) => ids),
    [[1]],
    'one alone does not wait',
  )
  const lists = step('group', [9], () => {})
  t.strictSame(asked[1]?.ids, [9], 'nor do groups for people')
  asked[0]?.end()
  t.strictSame(
    (await first).map(({ id }) => id),
    [1],
  )
  await setImmediate()
  t.strictSame(asked[2]?.ids, [2, 3, 4])
  asked[2]?.end()
  t.strictSame(
    (await second).map(({ id }) => id),
    [2, 3],
  )
  t.strictSame(
    (await third).map(({ id }) => id),
    [3, 4],
  )
  t.strictSame(told, [1, 2, 3])
  asked[1]?.end()
  t.strictSame(
    (await lists).map(({ id }) => id),
    [9],
  )
  t.equal(asked.length, 3)
})

t.test('a batch that fails fails for all of its requests, and for no others', async (t) => {
  const { asked, step } = batches()
  const first = step('user', [1], () => {})
  const others = [step('user', [2], () => {}), step('user', [3], () => {})]
  asked[0]?.end(new Error('away'))
  await t.rejects(first, { message: 'away' })
  await setImmediate()
  asked[1]?.end()
  t.strictSame(
    (await Promise.all(others)).flat().map(({ id }) => id),
    [2, 3],
  )
})

t.test('a slow batch keeps the next one waiting for a moment only', async (t) => {
  const { asked, step } = batches()
  const slow = step('group', [1], () => {})
  const next = step('group', [2], () => {})
  while (asked.length < 2) await setImmediate()
  asked[1]?.end()
  t.strictSame(
    (await next).map(({ id }) => id),
    [2],
  )
  await setImmediate()
  const last = step('group', [3], () => {})
  t.equal(asked.length, 3, 'the slow one no longer counts')
  asked[2]?.end()
  asked[0]?.end()
  await Promise.all([slow, last])
  const after = step('group', [4], () => {})
  asked[3]?.end()
  await after
})

t.test('a batch has as many records as a batch may have, and a request is not divided', async (t) => {
  const { asked, step } = batches()
  const many = (from: number): number[] => Array.from({ length: 30 }, (_, index) => from + index)
  const all = [step('group', [1], () => {}), ...[100, 200, 300].map((from) => step('group', many(from), () => {}))]
  for (let n = 0; n < 4; n++) {
    asked[n]?.end()
    await setImmediate()
  }
  t.strictSame(
    (await Promise.all(all)).map(({ length }) => length),
    [1, 30, 30, 30],
  )
  t.strictSame(
    asked.map(({ ids }) => ids.length),
    [1, 30, 30, 30],
  )
})
