import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'drizzle-orm'
import { openDatabase } from '../../src/db/client.ts'
import { touchSelected } from '../../src/mirror/touch.ts'
import { silent } from '../../test/database.ts'
import { type TestSlapd, testSlapd } from '../../test/slapd.ts'
import { addPeople, benchDatabase, connectTo } from './people.ts'
import { onStage, report, type Stage } from './stage.ts'

/**
 * What a load of the directory and the comparison after it hold for each person: the memory in use after a garbage
 * collection, at the beginning and at the end of each. What grows by person decides how many people fit into a process.
 *
 * npm run bench:load-memory -- 60000
 */
const [people = 60_000] = process.argv.slice(2, 3).map(Number)
const samples = 40
const departments = Math.max(1, Math.floor(people / 100))
/**
 * Bytes for each person. A process needs about 250 MB for itself, and up to twice what is in use before it collects: with
 * a hundred bytes a million people fit into 512 MB.
 */
const goals = { load: 100, comparison: 100 }

interface Task {
  url: string
  slapd: TestSlapd
}

interface Measured {
  /** Bytes in use, by how many people had been processed. */
  load: [done: number, bytes: number][]
  comparison: { before: number; max: number }
  /** Peak resident memory, MB. */
  peak: number
}

const inUse = (): number => {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const carriedOut = async ({ url, slapd }: Task): Promise<Measured> => {
  const load: Measured['load'] = []
  const comparison = { before: 0, max: 0 }
  await onStage(async (stage) => {
    const database = await openDatabase({ url, dataDir: '', log: silent })
    stage.teardown(() => database.close())
    const { reconciler } = connectTo(stage, database.db, slapd)
    const every = Math.ceil(people / samples)
    const loaded = await reconciler.synchronize('user', 'pending', (done) => {
      if (done >= (load.length + 1) * every || done === people) load.push([done, inUse()])
    })
    if (loaded.added !== people) throw new Error(`${loaded.added} of ${people} people arrived`)
    await reconciler.synchronize('group', 'pending')
    await reconciler.synchronize('user', 'all')
    comparison.before = inUse()
    const compared = await reconciler.synchronize('user', 'all', () => {
      comparison.max = Math.max(comparison.max, inUse())
    })
    if (compared.unchanged !== people) throw new Error(`${compared.unchanged} of ${people} people are unchanged`)
  })
  return { load, comparison, peak: process.resourceUsage().maxRSS / 1024 }
}

/** By least squares: the batches that are under way at a sample differ. */
const slopeOf = (points: Measured['load']): number => {
  const mean = (of: 0 | 1): number => points.reduce((sum, point) => sum + point[of], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const sum = (of: (point: [number, number]) => number): number => points.reduce((all, point) => all + of(point), 0)
  return sum((point) => (point[0] - x) * (point[1] - y)) / sum((point) => (point[0] - x) ** 2)
}

const measure = async (stage: Stage): Promise<void> => {
  const { db, url } = await benchDatabase(stage)
  const slapd = await testSlapd(stage, { mapSize: 2 ** 34 })
  await addPeople(db, people)
  await db.execute(sql`
    insert into groups (group_name, group_name_key, group_type)
    select 'group ' || n, 'group ' || n, 'cn' from generate_series(1, ${departments}::int) n`)
  await db.execute(sql`
    insert into group_members (group_id, user_id) select 1 + id % ${departments}::int, id from users`)
  await touchSelected(db, 'group', sql`select id from groups`)
  await db.execute(sql`vacuum analyze`)
  const child: ChildProcess = fork(import.meta.filename, [String(people), 'work'], {
    execArgv: [...process.execArgv, '--expose-gc'],
  })
  child.send({ url, slapd: JSON.parse(JSON.stringify(slapd)) })
  const [{ load, comparison, peak }] = (await once(child, 'message')) as [Measured]
  const perPerson = {
    load: slopeOf(load),
    comparison: (comparison.max - comparison.before) / people,
  }
  console.log(`${people} people: peak ${peak.toFixed(0)} MB`)
  report(
    (['load', 'comparison'] as const).map((name) => ({
      what: `${name}, ${perPerson[name].toFixed(0)} bytes for each person`,
      ratio: perPerson[name] / goals[name],
      goal: `≤ ${goals[name]} bytes`,
      met: perPerson[name] <= goals[name],
    })),
  )
}

if (process.argv[3] === 'work') {
  process.once('message', async (task: Task) => {
    process.send?.(await carriedOut(task))
    process.disconnect()
  })
} else {
  await onStage(measure)
}
