import t from 'tap'
import { openBacklog } from '../../src/audit/backlog.ts'
import { entriesOf, openPieces, replacedIn } from '../../src/audit/pieces.ts'
import { openRetries } from '../../src/audit/retries.ts'
import { eventually } from '../eventually.ts'
import { logEntry } from './log-entry.ts'

const entry = (remark: string) => logEntry({ remark })
const remarks = (entries: readonly { remark: string }[]) => entries.map(({ remark }) => remark)

t.test('the backlog', async (t) => {
  t.test('gives entries in the order they were added; they wait until they are settled', async (t) => {
    let now = 1000
    const backlog = openBacklog(10, () => now)
    for (const remark of ['a', 'b']) backlog.add(entry(remark))
    now = 2000
    backlog.add(entry('c'))
    t.same(remarks(backlog.take(2)), ['a', 'b'])
    t.match([backlog.waiting(), backlog.added(), backlog.settled()], [3, 3, 0])
    t.equal(backlog.since().getTime(), 1000, 'it has waited since the first was added')
    backlog.settle(2)
    t.match([backlog.waiting(), backlog.added(), backlog.settled()], [1, 3, 2])
    t.equal(backlog.since().getTime(), 2000, 'or since one was settled')
    t.same(remarks(backlog.take(2)), ['c'])
    backlog.settle(1)
    now = 9000
    backlog.add(entry('d'))
    t.equal(backlog.since().getTime(), 9000, 'an empty one has waited for nothing')
  })

  t.test('waits by a clock that is never set', async (t) => {
    let now = 10_000_000
    const backlog = openBacklog(10, () => now)
    backlog.add(entry('a'))
    for (const set of [20_000_000, 0]) {
      now = set
      t.ok(backlog.waitedFor() >= 0 && backlog.waitedFor() < 5000, `${backlog.waitedFor()}`)
    }
  })

  t.test('counts what comes while it is full, and makes entries of it once half of it is written', async (t) => {
    const backlog = openBacklog(4)
    for (const remark of ['a', 'b', 'c', 'd']) backlog.add(entry(remark))
    t.ok(backlog.isFull())
    for (let times = 0; times < 3; times++) backlog.add(entry('e'))
    backlog.add(logEntry({ remark: 'f', path: '/other' }))
    t.equal(backlog.added(), 4, 'what is counted does not wait')
    t.same(remarks(backlog.take(10)), ['a', 'b', 'c', 'd'])
    backlog.settle(2)
    t.same(backlog.take(10), [], 'not while half of it waits')
    backlog.settle(1)
    const [counted, other, ...more] = backlog.take(10)
    t.match(counted, { times: 3, remark: /^e: 3 requests counted/ })
    t.match(other, { times: 1, remark: 'f', path: '/other' })
    t.same(more, [])
    t.equal(backlog.waiting(), 3)
  })

  t.test('makes one entry of the requests that were refused', async (t) => {
    let now = 1000
    const backlog = openBacklog(4, () => now)
    backlog.add(entry('a'))
    backlog.addRefusal()
    now = 1500
    backlog.addRefusal()
    t.equal(backlog.refusals(), 2)
    backlog.take(1)
    now = 1700
    backlog.settle(1)
    t.match(backlog.take(10), [
      {
        ...{ method: 'SEAL', path: '/log/operation/refused', status: 503, startTime: new Date(1000), timeCost: 700 },
        remark: 'Requests refused while the operation log could not be written: 2',
      },
    ])
    t.equal(backlog.refusals(), 0)
  })

  t.test('makes entries of what was counted although it is full, when it is told to', async (t) => {
    const backlog = openBacklog(1)
    for (const remark of ['a', 'b']) backlog.add(entry(remark))
    backlog.addCounted()
    t.same(remarks(backlog.take(10)), ['a', 'b'])
    t.equal(backlog.waiting(), 2)
  })
})

t.test('the pieces under way', async (t) => {
  const opened = (...names: string[]) => {
    const queue = names.map(entry)
    return openPieces(() => queue.splice(0, 4))
  }

  t.test('stay the same until they are written', async (t) => {
    const pieces = opened('a', 'b', 'c', 'd', 'e')
    const first = pieces.next()
    t.same(remarks(entriesOf(first)), ['a', 'b', 'c', 'd'])
    t.equal(pieces.next(), first)
    pieces.written()
    t.same(remarks(entriesOf(pieces.next())), ['e'])
    pieces.written()
    t.same(pieces.next(), [])
  })

  t.test('are halved until the entry that is refused is alone, and it alone is replaced', async (t) => {
    const pieces = opened('a', 'b', 'poison', 'd')
    const written: string[] = []
    let replaced: string[] = []
    for (let piece = pieces.next(); piece.length > 0; piece = pieces.next()) {
      const entries = entriesOf(piece)
      if (entries.some(({ remark }) => remark === 'poison')) {
        t.ok(pieces.divide('22001'))
        continue
      }
      written.push(...remarks(entries))
      replaced = [...replaced, ...remarks(replacedIn(piece))]
      pieces.written()
    }
    t.same(written, ['a', 'b', 'An entry could not be stored (22001): POST /user/add 0 of alice 192.0.2.1', 'd'])
    t.same(replaced, ['poison'])
  })

  t.test('have a shorter replacement for a refused one, and at last the entry itself again', async (t) => {
    const pieces = opened('a')
    const tried = [entriesOf(pieces.next())]
    for (const expected of [true, true, false]) {
      t.equal(pieces.divide('P0001'), expected)
      tried.push(entriesOf(pieces.next()))
    }
    t.match(tried.map(remarks), [
      ['a'],
      [/^An entry could not be stored \(P0001\): POST/],
      [/^An entry could not be stored \(P0001\)$/],
      ['a'],
    ])
    t.same(replacedIn(pieces.next()), [], 'it is not marked as replaced')
  })
})

t.test('the retries', async (t) => {
  const opened = (work: () => Promise<void>, isLeft = () => false) => {
    const told: [string, number][] = []
    const retries = openRetries({
      ...{ work, isLeft, delay: 1, longestPause: 8 },
      onFailure: (error, failures) => told.push([String(error), failures]),
    })
    t.teardown(retries.stop)
    return { retries, told }
  }

  t.test('work once however often they are woken before it, and again when work is left', async (t) => {
    let times = 0
    const { retries } = opened(
      async () => {
        times += 1
      },
      () => times < 3,
    )
    for (let i = 0; i < 5; i++) retries.wake()
    t.equal(times, 0, 'not at once')
    await eventually(() => times === 3, 'worked as long as work was left')
    retries.wake()
    await eventually(() => times === 4, 'worked once more')
  })

  t.test('try again by themselves, tell each failure, and count from one after a success', async (t) => {
    let broken = true
    let times = 0
    const { retries, told } = opened(async () => {
      times += 1
      if (broken) throw new Error('away')
    })
    retries.wake()
    await eventually(() => told.length >= 3, 'three failures')
    t.same(
      told,
      told.map((_, index) => ['Error: away', index + 1]),
    )
    t.equal(retries.failures(), told.length)
    broken = false
    await eventually(() => times > told.length, 'a success')
    retries.succeeded()
    t.equal(retries.failures(), 0)
    broken = true
    told.splice(0)
    retries.wake()
    await eventually(() => told.length > 0, 'one more failure')
    t.same(told[0], ['Error: away', 1])
  })

  t.test('pause longer after each failure, up to the longest pause', async (t) => {
    const at: number[] = []
    const { retries } = opened(async () => {
      at.push(performance.now())
      throw new Error('away')
    })
    retries.wake()
    await eventually(() => at.length > 5, 'six attempts')
    const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0))
    // Timers may be late, and never more than a fraction of a millisecond early.
    for (const [index, least] of [2, 4, 8, 8, 8].entries()) t.ok((pauses[index] ?? 0) > least - 1, `${pauses[index]}`)
  })

  t.test('begin nothing after a stop', async (t) => {
    let times = 0
    const { retries } = opened(async () => {
      times += 1
      retries.stop()
      throw new Error('away')
    })
    retries.wake()
    await eventually(() => times === 1, 'the first attempt')
    const { retries: other } = opened(async () => {
      times += 1
    })
    other.wake()
    other.stop()
    other.wake()
    // A later timer of the same length fires after all those that a defect could have left.
    await new Promise((resolve) => setTimeout(resolve, 20))
    t.equal(times, 1)
  })
})
