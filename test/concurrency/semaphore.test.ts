import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { semaphore } from '../../src/concurrency/semaphore.ts'
import { eventually } from '../eventually.ts'

/** Pieces of work that end when they are told to. */
const works = (slots: ReturnType<typeof semaphore>) => {
  const begun: number[] = []
  const ends = new Map<number, (failure?: Error) => void>()
  const run = (n: number): Promise<void> =>
    slots.run(
      () =>
        new Promise<void>((resolve, reject) => {
          begun.push(n)
          ends.set(n, (failure) => (failure ? reject(failure) : resolve()))
        }),
    )
  const end = async (...which: number[]): Promise<number[]> => {
    for (const n of which) ends.get(n)?.()
    await setImmediate()
    return begun.splice(0)
  }
  return { begun, ends, run, end }
}

t.test('waiting work begins in its order, as soon as a slot is free', async (t) => {
  const slots = semaphore(2)
  const { begun, ends, run, end } = works(slots)
  const all = [0, 1, 2, 3, 4].map(run)
  t.strictSame(begun.splice(0), [0, 1])
  t.equal(slots.load, 5)
  t.strictSame(await end(1), [2])
  t.strictSame(await end(0, 2), [3, 4])
  const failing = run(5)
  t.strictSame(begun.splice(0), [])
  ends.get(3)?.(new Error('it failed'))
  await t.rejects(Promise.all(all), { message: 'it failed' })
  t.strictSame(await end(), [5], 'a failure makes room too')
  await end(4, 5)
  await failing
  t.equal(slots.load, 0)
})

t.test('waiting work begins in batches, never more of it than there are free slots', async (t) => {
  const slots = semaphore(4, { batch: 3, timeout: 60_000 })
  const { begun, run, end } = works(slots)
  const all = Array.from({ length: 9 }, (_, n) => run(n))
  t.strictSame(begun.splice(0), [0, 1, 2, 3])
  t.strictSame(await end(0, 2), [], 'two are not enough')
  all.push(run(9))
  t.strictSame(await end(), [], 'a newcomer overtakes none of those that wait')
  t.equal(slots.load, 8)
  t.strictSame(await end(1), [4, 5, 6])
  t.strictSame(await end(3, 4, 5), [7, 8, 9])
  all.push(run(10))
  t.strictSame(begun.splice(0), [])
  t.strictSame(await end(9), [10], 'the last ones do not wait for more to end')
  await end(6, 7, 8, 10)
  await Promise.all(all)
  t.equal(slots.load, 0)
})

t.test('a part of a batch begins when the work that runs takes long', async (t) => {
  const slots = semaphore(4, { batch: 3, timeout: 50 })
  const { begun, run, end } = works(slots)
  const all = Array.from({ length: 7 }, (_, n) => run(n))
  t.strictSame(begun.splice(0), [0, 1, 2, 3])
  t.strictSame(await end(0), [])
  await eventually(async () => begun.length > 0, 'the first of those that wait begins')
  t.strictSame(begun.splice(0), [4])
  t.equal(slots.load, 6)
  t.strictSame(await end(4, 1), [5, 6])
  await end(2, 3, 5, 6)
  await Promise.all(all)
  t.equal(slots.load, 0)
})

t.test('work is refused when the queue is full, with and without batches', async (t) => {
  for (const batch of [1, 2]) {
    const slots = semaphore(2, { queue: 1, batch })
    const { run, end } = works(slots)
    const all = [0, 1, 2].map(run)
    await t.rejects(run(3), { message: /too many requests/ })
    await end(0)
    await end(1, 2)
    await Promise.all(all)
  }
})
