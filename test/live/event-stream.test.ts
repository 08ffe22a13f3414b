import { once } from 'node:events'
import type { Readable } from 'node:stream'
import t from 'tap'
import { eventStream } from '../../src/live/event-stream.ts'
import { openFeed } from '../../src/live/feed.ts'
import { openStreams } from '../../src/live/open-streams.ts'
import { silent } from '../database.ts'

// The timers of streams and feeds let a process end.
const awake = setInterval(() => {}, 1000)
t.teardown(() => clearInterval(awake))

const user = { userId: 1, sessionId: 's' }
const operation = { method: 'GET', path: '/x' }

t.test('for a client that does not read only the newest snapshot is kept', async (t) => {
  const { body, show } = eventStream('numbers', () => {})
  const long = 'x'.repeat(10_000)
  for (let n = 1; n <= 10_000; n += 1) show({ n, long })
  t.ok(body.readableLength < body.readableHighWaterMark + 2 * long.length, `${body.readableLength} bytes wait`)
  let text = ''
  for await (const chunk of body) {
    text += String(chunk)
    if (text.includes('"n":10000')) break
  }
  const seen = [...text.matchAll(/"n":(\d+)/g)].map(([, n]) => Number(n))
  t.ok(seen.length < 10, `${seen.length} of them were sent`)
  t.equal(seen.at(-1), 10_000)
})

t.test('the same snapshot is not sent twice, whenever it was taken', async (t) => {
  const { body, show, end } = eventStream('x', () => {})
  show({ at: '1', n: 1 })
  show({ at: '2', n: 1 })
  show({ at: '3', n: 2 })
  end()
  let text = ''
  for await (const chunk of body) text += String(chunk)
  t.same(text.match(/"at":"\d"/g), ['"at":"1"', '"at":"3"'])
  t.match(text, /^retry: 2000\n\nevent: x\ndata: \{/)
})

t.test('comments keep a stream, and it ends after its lifetime', async (t) => {
  const principals = { stillMay: async () => true, onDrop: () => () => {} }
  const feed = openFeed({ read: async () => ({ n: 1 }), pause: 0, what: 'a number', log: silent })
  const streams = openStreams({ principals, lifetime: 100, heartbeat: 10 })
  t.teardown(streams.close)
  const { body } = await streams.open({ user, operation, event: 'x', feed, view: (value) => value })
  let text = ''
  for await (const chunk of body as AsyncIterable<Buffer>) text += String(chunk)
  t.match(text, /\n\n: alive\n\n/)
  t.match(text, /data: \{"n":1\}/)
})

t.test('an instance has a limit too, and a stream that is gone makes room', async (t) => {
  const principals = { stillMay: async () => true, onDrop: () => () => {} }
  const feed = openFeed({ read: async () => ({}), what: 'nothing', log: silent })
  const streams = openStreams({ principals, lifetime: 60_000, max: 2 })
  t.teardown(streams.close)
  const openAs = (userId: number) =>
    streams.open({ user: { userId, sessionId: 's' }, operation, event: 'x', feed, view: (value) => value })
  const first = await openAs(1)
  await openAs(2)
  await t.rejects(openAs(3), { message: 'too many streams are open on this instance' })
  const body = first.body as Readable
  body.destroy()
  await once(body, 'close')
  await t.resolves(openAs(3))
})

t.test('a feed reads once for all who watch, and not at all for none', async (t) => {
  let reads = 0
  const feed = openFeed({ read: async () => ++reads, pause: 0, what: 'a number', log: silent })
  feed.changed()
  feed.changed()
  await new Promise(setImmediate)
  t.equal(reads, 0)
  const seen: number[][] = [[], [], []]
  const stops = seen.map((list) => feed.watch((value) => list.push(value)))
  const told = new Promise((resolve) => feed.watch(resolve))
  feed.changed()
  await told
  t.same(seen, [[1], [1], [1]])
  for (const stop of stops) stop()
})
