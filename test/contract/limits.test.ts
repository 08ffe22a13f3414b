import { rm } from 'node:fs/promises'
import fc from 'fast-check'
import pino from 'pino'
import t from 'tap'
import { localDays } from '../../src/contract/cache/local-day.ts'
import { memoryStore } from '../../src/contract/cache/store.ts'
import type { AnsweredRequest } from '../../src/contract/journal.ts'
import { memoryWindows, type Taken } from '../../src/contract/limits/window.ts'
import type { Redis } from '../../src/redis/connection.ts'
import { openRedis } from '../../src/redis/open-redis.ts'
import { sharedStore } from '../../src/redis/shared-store.ts'
import { eventually } from '../eventually.ts'
import { skipWithoutRedis, type TestRedis, testRedis } from '../redis-server.ts'
import { refusals } from './refusals.ts'
import { type Given, type ServiceOptions, service } from './service.ts'

type Teardown = Parameters<typeof service>[0]

const noon = Date.parse('2026-11-20T12:00:00Z')
const second = 1000
const minute = 60 * second

/** A pantry per user, as two instances would read it from one database. */
const pantry = () => {
  const jars = new Map<number, string[]>()
  const counts = { reads: 0, writes: 0 }
  const read = async ({ user }: Given) => {
    counts.reads++
    return { id: Number(user?.userId) + 100, jars: [...(jars.get(Number(user?.userId)) ?? [])] }
  }
  const handlers: NonNullable<ServiceOptions['handlers']> = {
    listJars: read,
    countJars: read,
    fillJar: async ({ user }: Given) => {
      counts.writes++
      const id = Number(user?.userId)
      jars.set(id, [...(jars.get(id) ?? []), `jar ${counts.writes}`])
      return null
    },
  }
  return { handlers, counts }
}

/** The pantry behind the door, at a time that the test decides. */
const kitchen = async (t: Teardown, { redis = null, ...options }: ServiceOptions = {}) => {
  const clock = { now: noon }
  const { handlers, counts } = pantry()
  const served = await service(t, { redis, handlers, now: () => clock.now, ...options })
  const as = (user: number) => ({
    list: (headers: Record<string, string> = {}) => served.call('listJars', { token: `user${user}`, headers }),
    count: () => served.call('countJars', { token: `user${user}` }),
    fill: () => served.call('fillJar', { token: `user${user}` }),
  })
  return { ...served, as, clock, counts, handlers }
}

const codes = (replies: { code: number }[]): number[] => replies.map(({ code }) => code).sort((a, b) => a - b)

t.test('a window slides: no 60 seconds hold more than the limit', async (t) => {
  const { as, clock } = await kitchen(t)
  const { list, count, fill } = as(1)
  const at = async (time: number, ask: () => ReturnType<typeof list>) => {
    clock.now = noon + time
    return ask()
  }
  t.match(await at(0, list), { code: 200, headers: { 'ratelimit-limit': '4', 'ratelimit-remaining': '3' } })
  t.match(await at(10 * second, count), { code: 200, headers: { 'ratelimit-remaining': '2', 'ratelimit-reset': '50' } })
  t.equal((await at(20 * second, list)).code, 200)
  t.equal((await at(30 * second, count)).code, 200, 'operations that share a bucket share its count')
  t.match(await at(30 * second, list), {
    status: 429,
    code: 429,
    msg: 'too many requests',
    data: null,
    headers: { 'retry-after': '30', 'cache-control': 'no-store' },
  })
  t.equal((await at(30 * second, fill)).code, 200, 'another bucket has its own')
  t.match(await at(minute - 1, list), { code: 429, headers: { 'retry-after': '1' } })
  t.equal((await at(minute, list)).code, 200, 'after Retry-After there is room, also after refusals')
  t.match(await at(minute, count), { code: 429, headers: { 'retry-after': '10' } }, 'for one and no more')
  t.equal((await at(70 * second, count)).code, 200)
  t.equal((await at(10 * minute, list)).code, 200)
  t.match(await at(9 * minute, list), { code: 200 }, 'a clock that is put back locks no user out')
})

t.test('users are counted apart, and a burst gets no more than the limit', async (t) => {
  const { as, counts } = await kitchen(t)
  const burst = (user: number) => Promise.all(Array.from({ length: 25 }, () => as(user).list()))
  const [first, other] = await Promise.all([burst(1), burst(2)])
  for (const replies of [first, other]) t.same(codes(replies).slice(0, 5), [200, 200, 200, 200, 429])
  t.ok(counts.reads <= 8, 'a refused request does not read')
  t.equal((await as(3).list()).code, 200)
})

t.test('a forbidden request is refused, however often, and does not use up the limit', async (t) => {
  const { call, as } = await kitchen(t)
  for (let i = 0; i < 6; i++) t.equal((await call('listJars', { token: 'weak' })).code, 403)
  for (let i = 0; i < 6; i++) t.equal((await call('listJars')).code, 401)
  t.equal((await as(1).list()).code, 200)
})

t.test('whatever the times, no window holds more than its limit, and a caller who retries when told is served', (t) => {
  const seed = Number(process.env.FUZZ_SEED ?? 20_260_131)
  const pauses = fc.array(fc.nat({ max: 400 }), { maxLength: 80 })
  const property = fc.property(
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 1, max: 1000 }),
    pauses,
    (max, window, all) => {
      let at = noon
      const take = memoryWindows(() => at)
      const ask = () => take('a user', { max, window }) as Taken
      const served: number[] = []
      for (const pause of all) {
        at += pause
        const { current, ttl } = ask()
        const within = served.filter((instant) => instant > at - window).length
        if (current > max !== within >= max) return false
        if (current <= max) served.push(at)
        const first = served.find((instant) => instant > at - window) ?? at
        if (ttl !== first + window - at) return false
      }
      at += ask().ttl
      return ask().current <= max
    },
  )
  fc.assert(property, { seed, numRuns: 500 })
  t.end()
})

t.test('windows in memory drop expired entries, and are bounded', (t) => {
  let now = noon
  const take = memoryWindows(() => now)
  const limit = { max: 1, window: minute }
  const isTaken = (key: string) => (take(key, limit) as { current: number }).current > 1
  t.notOk(isTaken('first'))
  t.ok(isTaken('first'))
  for (let i = 0; i < 9_999; i++) take(`${i}`, limit)
  t.ok(isTaken('first'), '10 000 callers are counted')
  take('one more', limit)
  t.notOk(isTaken('first'), 'beyond that the quietest is forgotten')
  t.ok(isTaken('9998'))
  now += minute
  t.notOk(isTaken('9998'))
  t.end()
})

t.test('an answer is cached for its user, and says how old it is and how long it is valid', async (t) => {
  const noted: AnsweredRequest[] = []
  const journal = {
    covers: () => true,
    admits: () => true,
    note: (request: AnsweredRequest) => void noted.push(request),
  }
  const { as, clock, counts, call } = await kitchen(t, {
    journal,
    config: { corsOrigins: ['https://console.example'] },
  })
  const made = await as(1).list()
  t.match(made, {
    code: 200,
    data: { id: 101, jars: { length: 0 } },
    headers: { 'cache-control': 'private, max-age=300' },
  })
  t.equal(made.headers.age, undefined, 'one that was just made has no age')
  clock.now += 100 * second
  const kept = await as(1).list({ origin: 'https://console.example' })
  t.equal(counts.reads, 1)
  t.equal(kept.body, made.body, 'byte for byte')
  t.equal(kept.headers['content-type'], made.headers['content-type'])
  t.match(kept.headers, {
    age: '100',
    'cache-control': 'private, max-age=200',
    vary: /Origin, authorization, cookie$/i,
  })
  t.equal((await as(2).list()).body, made.body.replace('101', '102'), 'no user gets what is another’s')
  t.equal(counts.reads, 2)
  t.equal((await call('listJars')).code, 401, 'a caller without a token gets nothing')
  t.equal((await as(1).list({ 'if-none-match': '*' })).code, 200, 'and no user gets a 304')
  t.equal((await call('listJars', { headers: { 'if-none-match': '"etag"' } })).code, 401)
  t.same(
    noted.slice(0, 3).map(({ username, code, ids }) => ({ username, code, ids })),
    [
      { username: 'user1', code: 200, ids: [101] },
      { username: 'user1', code: 200, ids: [101] },
      { username: 'user2', code: 200, ids: [102] },
    ],
    'the operation log does not tell a kept answer from another',
  )
  clock.now = noon + 5 * minute
  t.equal((await as(1).list()).headers.age, undefined, 'after its time it is made anew')
  t.equal(counts.reads, 3)
  await as(1).count()
  clock.now += 30 * minute
  t.match((await as(1).count()).headers, { age: '1800' }, 'each operation has its own lifetime')
})

t.test('a cached answer still counts, and a 429 does not drop it', async (t) => {
  const { as, clock, counts } = await kitchen(t)
  const { list } = as(1)
  t.same(codes([await list(), await list(), await list(), await list(), await list()]), [200, 200, 200, 200, 429])
  clock.now += minute
  t.match(await list(), { code: 200, headers: { age: '60' } })
  t.equal(counts.reads, 1)
})

t.test('the caller’s own writes drop what is cached for them, and nothing of others', async (t) => {
  const { as, counts } = await kitchen(t)
  await Promise.all([as(1).list(), as(1).count(), as(2).list()])
  t.equal((await as(1).fill()).code, 200)
  t.same((await as(1).list()).data, { id: 101, jars: ['jar 1'] })
  t.same((await as(1).count()).data, { id: 101, jars: ['jar 1'] })
  t.equal(counts.reads, 5)
  await as(2).list()
  t.equal(counts.reads, 5)
})

t.test('an answer read before a write is not cached after it', async (t) => {
  let passed = (): void => {}
  const gate = new Promise<void>((resolve) => {
    passed = resolve
  })
  const { handlers, counts } = pantry()
  const { listJars } = handlers
  const { as } = await kitchen(t, {
    handlers: {
      ...handlers,
      listJars: async (input) => {
        const data = await listJars?.(input)
        if (counts.reads === 1) await gate
        return data
      },
    },
  })
  const slow = as(1).list()
  await eventually(() => counts.reads > 0, 'the first read')
  await as(1).fill()
  passed()
  t.same((await slow).data, { id: 101, jars: [] }, 'a request from before the write may get the former state')
  t.same((await as(1).list()).data, { id: 101, jars: ['jar 1'] }, 'a request after it may not')
})

t.test('failures are not kept, and a write that fails drops all the same', async (t) => {
  const outcomes: (() => unknown)[] = [
    () => {
      throw refusals.painting()
    },
    () => ({ id: 1, jars: 'no list' }),
    () => ({ id: 1, jars: [] }),
  ]
  const { as } = await kitchen(t, {
    handlers: {
      listJars: async () => outcomes.shift()?.(),
      fillJar: async () => {
        throw new Error('the answer of the database was lost')
      },
    },
  })
  t.match(await as(1).list(), { code: 503, headers: { 'cache-control': 'no-store', vary: undefined } })
  t.match(await as(1).list(), { code: 500 }, 'nor is an answer that breaks the contract cached')
  t.equal((await as(1).list()).code, 200)
  t.equal((await as(1).fill()).code, 500)
  outcomes.push(() => ({ id: 1, jars: ['filled'] }))
  t.same((await as(1).list()).data, { id: 1, jars: ['filled'] })
})

t.test('nothing is kept beyond the day in TIME_ZONE', async (t) => {
  const { as, clock, counts } = await kitchen(t, { config: { timeZone: 'Europe/Berlin' } })
  clock.now = Date.parse('2026-03-28T22:58:30Z')
  t.equal((await as(1).list()).headers['cache-control'], 'private, max-age=90')
  clock.now = Date.parse('2026-03-28T22:59:59.999Z')
  t.match((await as(1).list()).headers, { age: '89', 'cache-control': 'private, max-age=0' })
  clock.now++
  t.equal((await as(1).list()).headers['cache-control'], 'private, max-age=300')
  t.equal(counts.reads, 2, 'a new day, a new answer')
  clock.now = Date.parse('2026-03-29T21:59:00Z')
  t.equal((await as(1).list()).headers['cache-control'], 'private, max-age=60', 'on that day the clocks went forward')
})

t.test('a day is as long as its zone makes it', (t) => {
  const lasts = (zone: string, instant: string) => {
    const at = Date.parse(instant)
    const { date, endsAt } = localDays(zone)(at)
    return [date, new Date(endsAt).toISOString()]
  }
  t.same(lasts('UTC', '2026-02-28T23:59:59.999Z'), ['2026-02-28', '2026-03-01T00:00:00.000Z'])
  t.same(lasts('Europe/Berlin', '2026-03-28T23:00:00Z'), ['2026-03-29', '2026-03-29T22:00:00.000Z'], '23 hours')
  t.same(lasts('Europe/Berlin', '2026-10-24T22:00:00Z'), ['2026-10-25', '2026-10-25T23:00:00.000Z'], '25 hours')
  t.same(lasts('America/Santiago', '2026-09-05T20:00:00Z'), ['2026-09-05', '2026-09-06T04:00:00.000Z'], 'no 00:00')
  t.same(lasts('Asia/Kathmandu', '2026-06-01T18:14:59Z'), ['2026-06-01', '2026-06-01T18:15:00.000Z'])
  t.same(lasts('Pacific/Apia', '2011-12-29T12:00:00Z'), ['2011-12-29', '2011-12-30T10:00:00.000Z'], 'a day left out')
  const days = localDays('UTC')
  t.same(
    [noon, noon - 86_400_000, noon].map((at) => days(at).date),
    ['2026-11-20', '2026-11-19', '2026-11-20'],
  )
  t.end()
})

t.test('the cache in memory is bounded; entries in use stay', async (t) => {
  const store = memoryStore()
  const text = 'x'.repeat(4 * 1024 * 1024)
  for (const key of ['a', 'b', 'c']) await store.set(key, text, minute)
  await store.set('b', 'short', minute)
  await store.get('a')
  await store.set('d', text, minute)
  await store.set('e', text, minute)
  t.same(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(async (key) => (await store.get(key))?.length ?? 0)), [
    text.length,
    5,
    0,
    text.length,
    text.length,
  ])
})

/**
 * Two instances with one Redis and one pantry.
 * @param timeout milliseconds that a command may take
 * @param scopes of the two, which belong to one installation where they are the same
 */
const twins = async (t: Teardown, redis: TestRedis, timeout?: number, scopes = ['own', 'own']) => {
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const { handlers, counts } = pantry()
  const connect = async (scope: string): Promise<Redis> => {
    const connected = await openRedis({ redisUrl: redis.url, scope, log, timeout })
    if (connected === null) throw new Error('not connected')
    t.teardown(() => connected.close())
    return connected
  }
  const connections = await Promise.all(scopes.map(connect))
  const [a, b] = await Promise.all(
    connections.map((each) => kitchen(t, { redis: each, kept: sharedStore(each), handlers })),
  )
  if (a === undefined || b === undefined) throw new Error('there are two')
  const said = (text: RegExp) => lines.filter((line) => text.test(line)).length
  const untilAll = async (answers: boolean): Promise<void> => {
    for (const each of connections) {
      await eventually(async () => (await each.answers()) === answers, `Redis ${answers ? 'answers' : 'is away'}`)
    }
  }
  return { a, b, counts, lines, said, untilAll }
}

t.test('instances that share a Redis', { skip: skipWithoutRedis }, async (t) => {
  t.test('count together, exactly, also in a burst', async (t) => {
    const redis = await testRedis(t)
    const { a, b } = await twins(t, redis, minute)
    const asked = Array.from({ length: 30 }, (_, index) => (index % 2 ? a : b).as(1).list())
    t.same(codes(await Promise.all(asked)).slice(0, 5), [200, 200, 200, 200, 429])
    const refused = await a.as(1).count()
    t.equal(refused.code, 429)
    const wait = Number(refused.headers['retry-after'])
    t.ok(wait >= 1 && wait <= 60, `come back in ${wait} s`)
    t.equal((await a.as(2).list()).code, 200, 'another user has their own limit')

    const key = 'steward:own:limit:1:pantry/reads'
    const instants = (await redis.cli('lrange', key, '0', '-1')).map(Number)
    t.equal(instants.length, 4, 'no more is remembered than counts')
    await redis.cli('lset', key, '0', String((instants[0] ?? 0) - minute))
    t.same(codes([await b.as(1).list(), await a.as(1).list()]), [200, 429], 'whose minute is over makes room for one')
    await redis.cli('lset', key, '0', String((instants[0] ?? 0) + 60 * minute))
    t.equal((await a.as(1).list()).code, 200, 'a clock that was put back locks no user out')
  })

  t.test('keep answers together, and drop them together', async (t) => {
    const redis = await testRedis(t)
    const { a, b, counts } = await twins(t, redis, minute)
    const made = await a.as(1).list()
    b.clock.now += 40 * second
    const kept = await b.as(1).list()
    t.equal(kept.body, made.body)
    t.match(kept.headers, { age: '40', 'cache-control': 'private, max-age=260' })
    t.equal(counts.reads, 1)
    await b.as(1).fill()
    t.same((await a.as(1).list()).data, { id: 101, jars: ['jar 1'] }, 'a write through the other one drops it here')
    t.equal((await b.as(2).list()).code, 200)
    t.equal(counts.reads, 3)

    const keys = await redis.cli('keys', '*')
    t.ok(keys.length >= 6, keys.join(' '))
    for (const key of keys) {
      t.match(key, /^steward:own:(limit|kept):/)
      t.notMatch(key, /user\d|user1|token/)
      const [left] = await redis.cli('pttl', key)
      // -2: it has ended since.
      t.ok(left !== '-1' && Number(left) <= 2 * 86_400_000, `${key} ends in ${left} ms`)
    }
  })

  t.test('go on alone while it is gone, and together when it is back', async (t) => {
    const redis = await testRedis(t)
    const { a, b, counts, lines, said, untilAll } = await twins(t, redis)
    await a.as(1).list()
    await redis.cli('save')
    await a.as(1).fill()
    await redis.stop('SIGKILL')
    for (let i = 0; i < 4; i++) {
      t.match(await a.as(1).list(), { code: 200, headers: { age: undefined }, data: { jars: ['jar 1'] } })
    }
    t.equal((await a.as(1).list()).code, 429, 'each counts for itself')
    t.equal((await b.as(1).list()).code, 200)
    t.equal(counts.reads, 6, 'nothing is kept')
    t.equal((await b.as(1).fill()).code, 200)
    t.equal(said(/Redis is away/), 2, 'each says once what is missing')
    await redis.start()
    await untilAll(true)
    t.equal(said(/Redis is there again/), 2)
    t.same(
      [(await a.as(1).list()).data, (await b.as(1).list()).headers.age],
      [{ id: 101, jars: ['jar 1', 'jar 2'] }, '0'],
      'what it remembers from before a write is not looked at',
    )
    t.notMatch(lines.join(), new RegExp(redis.password))
  })

  t.test('wait for one that does not answer once, and not for long', async (t) => {
    const redis = await testRedis(t)
    const { a, b, said, untilAll } = await twins(t, redis)
    await a.as(1).list()
    redis.freeze()
    const [read, write] = await Promise.all([a.as(1).list(), b.as(1).fill()])
    t.same([read.code, write.code], [200, 200], 'no request is kept waiting')
    t.same([(await a.as(1).list()).code, (await b.as(1).count()).code], [200, 200])
    t.equal(said(/Redis is away/), 2)
    redis.thaw()
    await untilAll(true)
    t.same((await a.as(1).list()).data, { id: 101, jars: ['jar 1'] }, 'a drop that did not arrive is made up for')
  })

  t.test('keep apart from another installation there', async (t) => {
    const { a, b, counts } = await twins(t, await testRedis(t), minute, ['own', 'another'])
    await a.as(1).list()
    await b.as(1).list()
    t.equal(counts.reads, 2, 'what one has worked out for its user 1 is not for that of the other')
    const asked = await Promise.all(Array.from({ length: 3 }, () => [a.as(1).list(), b.as(1).list()]).flat())
    t.notOk(codes(asked).includes(429), 'nor do they share limits')
  })

  t.test('know at once that it has no memory left, or accepts no changes', async (t) => {
    const redis = await testRedis(t)
    const { untilAll } = await twins(t, redis)
    await untilAll(true)
    await redis.cli('config', 'set', 'maxmemory', '1')
    await untilAll(false)
    await redis.cli('config', 'set', 'maxmemory', '0')
    await untilAll(true)
    await redis.cli('replicaof', '127.0.0.1', '1')
    await untilAll(false)
    await redis.cli('replicaof', 'no', 'one')
    await untilAll(true)
  })

  t.test('need one that can be used at the start', async (t) => {
    const redis = await testRedis(t)
    const log = pino({ level: 'silent' })
    const wrong = redis.url.replace(redis.password, 'another-secret')
    await t.rejects(openRedis({ redisUrl: wrong, scope: 'own', log }), {
      message: /REDIS_URL: Redis cannot be used \(WRONGPASS/,
    })
    await redis.cli('config', 'set', 'maxmemory', '1')
    await t.rejects(openRedis({ redisUrl: redis.url, scope: 'own', log }), {
      message: /REDIS_URL: .*OOM.*; raise its maxmemory/,
    })
    await redis.cli('config', 'set', 'maxmemory', '0')
    await redis.cli('replicaof', '127.0.0.1', '1')
    const replica = { message: /REDIS_URL: .*READONLY.*; name the master/ }
    await t.rejects(openRedis({ redisUrl: redis.url, scope: 'own', log }), replica)
    await redis.cli('replicaof', 'no', 'one')
    const [, folder = ''] = await redis.cli('config', 'get', 'dir')
    await redis.cli('config', 'set', 'save', '3600 1')
    await rm(folder, { recursive: true })
    await redis.cli('bgsave')
    await eventually(
      async () => (await redis.cli('info', 'persistence')).join().includes('bgsave_status:err'),
      'it fails',
    )
    const unsaved = { message: /REDIS_URL: .*MISCONF.*; see in its log why it cannot save/ }
    await t.rejects(openRedis({ redisUrl: redis.url, scope: 'own', log }), unsaved)
    // It would not end while it has something to save.
    await redis.cli('config', 'set', 'save', '')
    await redis.stop()
    const failure = await openRedis({ redisUrl: redis.url, scope: 'own', log }).catch((error: Error) => error)
    t.match(failure, { message: /REDIS_URL: .*ECONNREFUSED/ })
    t.notMatch(String(failure), new RegExp(redis.password))
    t.equal(await openRedis({ redisUrl: null, scope: 'own', log }), null)
  })
})
