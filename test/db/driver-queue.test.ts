import postgres from 'postgres'
import t, { type Test } from 'tap'
import { openDriverClient } from '../../src/db/driver-client.ts'
import { boundQueue, type DriverQueue } from '../../src/db/driver-queue.ts'
import { postgresMissing, testPostgres } from '../database.ts'

// The driver's lists of its connections.

/** The most places of an array that were searched since. */
const searchedPlaces = (t: Test): (() => number) => {
  let max = 0
  const { indexOf } = Array.prototype
  t.teardown(() => Object.assign(Array.prototype, { indexOf }))
  Array.prototype.indexOf = function (this: unknown[], ...input: [unknown]) {
    max = Math.max(max, this.length)
    return indexOf.apply(this, input)
  }
  return () => {
    Object.assign(Array.prototype, { indexOf })
    return max
  }
}

t.test(
  'of connections that are never all busy, none is searched among those of earlier queries',
  { skip: postgresMissing },
  async (t) => {
    const { url } = await testPostgres(t)
    const { sql, end } = openDriverClient((onclose) => postgres(url, { max: 3, fetch_types: false, onclose }), {
      catchEscapes: false,
      renews: true,
    })
    t.teardown(() => end(0))
    const lists = new Set<DriverQueue>()
    const ask = async (n: number): Promise<void> => {
      const [row] = await sql.unsafe<{ n: number }[]>(`select ${n} as n`)
      t.equal(row?.n, n)
    }
    const looked = async (): Promise<void> => {
      const options = { onexecute: ({ queue }: { queue: DriverQueue }) => lists.add(queue) && true }
      await sql.unsafe('select 1', [], options as object)
    }
    // Three connections are open, and carry several queries.
    await Promise.all(Array.from({ length: 9 }, (_, n) => ask(n)))
    await Promise.all(Array.from({ length: 9 }, (_, n) => ask(n)))
    await looked()
    await Promise.all(Array.from({ length: 9 }, looked))
    t.equal(lists.size, 2, 'those that are idle, and those that are on a query')
    await Promise.all(Array.from({ length: 9 }, (_, n) => ask(n)))
    const [idle] = lists
    if (!idle) return
    t.equal(idle.length, 3)
    const searched = searchedPlaces(t)
    for (let n = 0; n < 1000; n++) {
      const connection = idle.shift()
      idle.remove(connection)
      idle.push(connection)
    }
    t.ok(searched() <= 3, 'no more places are searched than there are connections')
    await Promise.all(Array.from({ length: 9 }, (_, n) => ask(n)))
  },
)

t.test('a lone caller gets the connection that was used last', { skip: postgresMissing }, async (t) => {
  const { url } = await testPostgres(t)
  const { sql, end } = openDriverClient((onclose) => postgres(url, { max: 4, fetch_types: false, onclose }), {
    catchEscapes: false,
    renews: true,
  })
  t.teardown(() => end(0))
  const whose = async (seconds: number): Promise<number> => {
    const pids = await sql.begin(async (tx) => {
      const rows = await tx<{ pid: number }[]>`select pg_backend_pid() as pid, pg_sleep(${seconds})::text`
      return rows.map(({ pid }) => pid)
    })
    return pids[0] ?? 0
  }
  const callers = (seconds: number[]): Promise<number[]> => Promise.all(seconds.map(whose))
  // The first round opens the connections, the second sees them idle.
  for (const round of [1, 2]) t.equal(new Set(await callers([0.1, 0.1, 0.1, 0.1])).size, 4, `round ${round}: four`)
  const pids = []
  for (let n = 0; n < 8; n++) pids.push(await whose(0))
  t.equal(new Set(pids).size, 1, 'transactions of one caller')
  const queries = []
  for (let n = 0; n < 8; n++) queries.push((await sql`select pg_backend_pid() as pid`)[0]?.pid)
  t.same(new Set(queries), new Set(pids), 'queries of one caller')
  const [late, early] = await callers([0.2, 0.1])
  t.not(late, early)
  t.equal(await whose(0), late, 'the one whose transaction ended last')
  t.equal(new Set(await callers([0.1, 0.1, 0.1, 0.1])).size, 4, 'all are there still')
})

t.test('such a list is one as before', (t) => {
  const own = { length: 2, items: ['a', 'b'] }
  const queue: DriverQueue = {
    get length() {
      return own.items.length
    },
    push: (one) => one,
    shift: () => own.items.shift(),
    remove: () => null,
  }
  boundQueue(queue)
  boundQueue(queue)
  t.equal(queue.length, 2)
  t.equal(queue.push('c'), 'c')
  t.equal(queue.remove('b'), 'b')
  t.equal(queue.remove('b'), null)
  t.same([queue.shift(), queue.shift(), queue.shift(), queue.length], ['a', 'c', undefined, 0])
  t.end()
})
