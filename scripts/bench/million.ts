import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readBackup } from '../../src/backups/file/read.ts'
import { loadBackup } from '../../src/backups/restore/load.ts'
import { writeBackup } from '../../src/backups/write.ts'
import { type Db, openDatabase } from '../../src/db/client.ts'
import type { RecordKind } from '../../src/mirror/touch.ts'
import { silent } from '../../test/database.ts'
import { type TestSlapd, testSlapd } from '../../test/slapd.ts'
import { benchImport, type ImportSettings, prepareImport } from './importing.ts'
import { listTimes, listVerdicts } from './lists.ts'
import { benchDatabase, connectTo, ldapTool } from './people.ts'
import { onStage, report, type Stage, timed, type Verdict } from './stage.ts'

/**
 * A large organisation in PostgreSQL and slapd: taken over from a fake platform, loaded into the directory, imported
 * again unchanged, compared, listed, backed up and restored. Each piece of work runs in a process of its own, so that its
 * memory is what it needs. With a million people it takes most of an hour and 20 GB of disk:
 *
 * npm run bench:million -- 1000000 10000
 */
const [people = 1_000_000, departments = 10_000] = process.argv.slice(2, 4).map(Number)
const memoryGoal = 512
/** Megabytes of heap for the fake platform, which holds the organisation in memory. */
const platformHeap = 12_000
/** It syncs every commit to disk, as real ones do. */
const server = { durable: true, mapSize: 2 ** 34 }
const secret = 'a key of thirty-two characters, or more'

const works = ['import', 'load', 'import again', 'lists', 'backup', 'first compare', 'compare', 'restore'] as const
type WorkName = (typeof works)[number]

interface Task {
  work: WorkName
  url: string
  slapd: TestSlapd
  platform: ImportSettings
  file: string
}

interface Measured {
  /** Milliseconds of each part. */
  times: Record<string, number>
  /** Peak resident memory, MB. */
  memory: number
}

interface Workplace extends Task {
  stage: Stage
  db: Db
}

type Times = Record<string, number>

const imported =
  (unchanged: boolean) =>
  async ({ stage, db, platform }: Workplace): Promise<Times> => {
    const run = benchImport(stage, db, platform, { mirrored: false })
    const wall = await timed(async () => {
      for (const kind of ['groups', 'users'] as const) {
        await run(kind, (told) => told[unchanged ? 'unchanged' : 'added'] === told.total - told.skipped)
      }
    })
    return { wall }
  }

const mirrored =
  (which: 'pending' | 'all', kinds: readonly RecordKind[]) =>
  async ({ stage, db, slapd }: Workplace): Promise<Times> => {
    const { reconciler } = connectTo(stage, db, slapd)
    const wall = await timed(async () => {
      for (const kind of kinds) {
        const run = await reconciler.synchronize(kind, which)
        if (run.failed > 0 || !run.completed) throw new Error(`${kind}: ${JSON.stringify(run)}`)
      }
    })
    return { wall }
  }

const work: Record<WorkName, (place: Workplace) => Promise<Times>> = {
  import: imported(false),
  // As the service does it: people, then the departments that list them.
  load: mirrored('pending', ['user', 'group']),
  'import again': imported(true),
  // After a load no change number is known yet, and every entry is read.
  'first compare': mirrored('all', ['user', 'group']),
  compare: mirrored('all', ['user', 'group']),
  lists: ({ db }) => listTimes(db),
  backup: async ({ db, file }) => ({
    wall: await timed(async () => {
      await writeBackup(db, { file, secret })
      await readBackup({ file, secrets: [secret] })
    }),
  }),
  restore: async ({ db, file }) => ({
    wall: await timed(async () => {
      await readBackup({ file, secrets: [secret] })
      await db.transaction((tx) => loadBackup(tx, { file, secrets: [secret] }))
    }),
  }),
}

const carriedOut = async (task: Task): Promise<Measured> => {
  let times: Times = {}
  await onStage(async (stage) => {
    const database = await openDatabase({ url: task.url, dataDir: '', log: silent })
    stage.teardown(() => database.close())
    times = await work[task.work]({ ...task, stage, db: database.db })
  })
  return { times, memory: process.resourceUsage().maxRSS / 1024 }
}

const answerOf = async <Answer>(child: ChildProcess): Promise<Answer> => {
  const [answer] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`a process ended with ${code}`))),
  ])
  return answer as Answer
}

const inProcess = (role: 'work' | 'platform', execArgv: readonly string[] = []): ChildProcess =>
  fork(import.meta.filename, [String(people), String(departments), role], {
    execArgv: [...process.execArgv, ...execArgv],
  })

const platformOn = async (stage: Stage): Promise<ImportSettings> => {
  const child = inProcess('platform', [`--max-old-space-size=${platformHeap}`])
  stage.teardown(() => child.disconnect())
  return answerOf(child)
}

const run = async (command: string, args: readonly string[]): Promise<void> => {
  const [code] = await once(spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit')
  if (code !== 0) throw new Error(`${command} ended with ${code}`)
}

/** What the work is compared with: the usual tool for the same data, in the same run. */
const baselines: Partial<Record<WorkName, (task: Task) => Promise<[tool: string, milliseconds: number]>>> = {
  'first compare': async ({ slapd }) => {
    const search = ['-LLL', '-E', 'pr=1000/noprompt', '-b', slapd.baseDn]
    return ['ldapsearch', await timed(() => ldapTool(slapd, 'ldapsearch', search))]
  },
  compare: async ({ slapd }) => {
    const search = ['-LLL', '-E', 'pr=1000/noprompt', '-b', slapd.baseDn]
    return ['ldapsearch', await timed(() => ldapTool(slapd, 'ldapsearch', search))]
  },
  backup: async ({ url, file }) => ['pg_dump', await timed(() => run('pg_dump', ['-Fc', '-f', `${file}.dump`, url]))],
  restore: async ({ url, file }) => {
    const elsewhere = new URL(url)
    elsewhere.pathname = '/elsewhere'
    await run('psql', ['-qc', 'create database elsewhere', url])
    const restore = ['--no-owner', '-d', elsewhere.href, `${file}.dump`]
    return ['pg_restore', await timed(() => run('pg_restore', restore))]
  },
}

/** People whom ldapadd writes into a slapd of its own; the time of all of them is estimated. Departments are all written. */
const sampled = 20_000

const ldapadd = async (stage: Stage, { slapd, file }: Task): Promise<number> => {
  const other = await testSlapd(stage, { ...server, empty: true })
  const search = `ldapsearch -LLL -o ldif-wrap=no -x -H ${slapd.url} -D ${slapd.bindDn} -w ${slapd.bindPassword} -E pr=1000/noprompt`
  const added = async (selection: string): Promise<number> => {
    await run('sh', ['-c', `${search} ${selection} > ${file}.ldif`])
    return timed(() => ldapTool(other, 'ldapadd', ['-c', '-f', `${file}.ldif`]))
  }
  const rest = await added(`-b '${slapd.baseDn}' '(!(objectClass=inetOrgPerson))'`)
  const first = `BEGIN { RS = ""; ORS = "\\n\\n" } n++ < ${sampled}`
  const some = await added(`-b 'ou=people,${slapd.baseDn}' -s one | awk '${first}'`)
  return rest + (some * people) / Math.min(people, sampled)
}

const goals: Partial<Record<WorkName, number>> = {
  compare: 1.5,
  backup: 2.5,
  restore: 2.5,
  'import again': 1 / 3,
  load: 1,
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

const measure = async (stage: Stage): Promise<void> => {
  const { db, url } = await benchDatabase(stage)
  await prepareImport(db)
  const slapd = await testSlapd(stage, server)
  const folder = await mkdtemp(join(tmpdir(), 'steward-bench-'))
  stage.teardown(() => rm(folder, { recursive: true, force: true }))
  const place = { url, slapd: JSON.parse(JSON.stringify(slapd)), file: join(folder, 'backup') }
  const platform = await platformOn(stage)
  const verdicts: Verdict[] = []
  let importing = Number.NaN
  for (const name of works) {
    const task: Task = { ...place, platform, work: name }
    if (name === 'lists') await db.execute(sql`vacuum analyze`)
    const child = inProcess('work')
    child.send(task)
    const { times, memory } = await answerOf<Measured>(child)
    const { wall } = times
    const note = (tool: string, theirs: number): void => {
      const ratio = (wall ?? 0) / theirs
      const what = `${name} (${seconds(wall ?? 0)}) over ${tool} (${seconds(theirs)})`
      const max = goals[name]
      console.log(`${what}: ${ratio.toFixed(2)}`)
      if (max !== undefined) verdicts.push({ what, ratio, goal: `≤ ${max.toFixed(2)}`, met: ratio <= max })
    }
    if (name === 'import') importing = wall ?? Number.NaN
    if (name === 'import again') note('the first', importing)
    if (name === 'load') note('ldapadd', await ldapadd(stage, task))
    const baseline = await baselines[name]?.(task)
    if (baseline) note(...baseline)
    if (name === 'lists') verdicts.push(...listVerdicts(times))
    const ratio = memory / memoryGoal
    verdicts.push({ what: `${name}, memory (${memory.toFixed(0)} MB)`, ratio, goal: '≤ 1', met: ratio <= 1 })
    console.log(`${name}: ${wall === undefined ? JSON.stringify(times) : seconds(wall)}, ${memory.toFixed(0)} MB`)
  }
  console.log(`${people} people in ${departments} departments`)
  report(verdicts)
}

if (process.argv[4] === 'work') {
  process.once('message', async (task: Task) => {
    process.send?.(await carriedOut(task))
    process.disconnect()
  })
} else if (process.argv[4] === 'platform') {
  const { generateOrganisation } = await import('../fakes/organisation.ts')
  const { startFakeWecom } = await import('../fakes/wecom.ts')
  const organisation = generateOrganisation({ seed: 1, people, departments, oddities: false })
  const cloud = await startFakeWecom({ organisation })
  const { corpId = '', secret: key = '' } = cloud.credentials
  process.send?.({ url: cloud.url, corpId, secret: key })
  process.once('disconnect', () => process.exit(0))
} else {
  await onStage(measure)
}
