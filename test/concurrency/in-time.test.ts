import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { withDeadline } from '../../src/concurrency/abort.ts'
import { inTime } from '../../src/concurrency/in-time.ts'

const never = new Promise<never>(() => {})

t.test('work that ends in time gives its own result', async (t) => {
  const late = () => t.fail('it was not late')
  t.equal(await inTime(60_000, Promise.resolve('done'), late), 'done')
  await t.rejects(inTime(60_000, Promise.reject(new Error('failed')), late), { message: 'failed' })
})

t.test('work that does not end in time gives what comes instead', async (t) => {
  t.equal(await inTime(5, never, () => 'late'), 'late')
  const refuse = () => {
    throw new Error('no answer')
  }
  await t.rejects(inTime(5, never, refuse), { message: 'no answer' })
})

t.test('a result that arrived while the process was busy counts', async (t) => {
  const work = sleep(10, 'done')
  const result = inTime(5, work, () => 'late')
  const busyUntil = performance.now() + 50
  while (performance.now() < busyUntil);
  t.equal(await result, 'done')
})

t.test('work with a deadline', async (t) => {
  const stopping = new AbortController()
  const untilAborted = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const late = () => new Error('late')
  t.equal(await withDeadline(60_000, { signal: stopping.signal, late }, async () => 'done'), 'done')
  await t.rejects(withDeadline(5, { signal: stopping.signal, late }, untilAborted), { message: 'late' })
  const stopped = withDeadline(60_000, { signal: stopping.signal, late }, untilAborted)
  stopping.abort(new Error('stopping'))
  await t.rejects(stopped, { message: 'stopping' })
  const begun = withDeadline(60_000, { signal: stopping.signal, late }, async (signal) => signal.throwIfAborted())
  await t.rejects(begun, { message: 'stopping' }, 'also when it was to stop before')
})
