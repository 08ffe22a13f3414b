import { fork } from 'node:child_process'
import { once } from 'node:events'
import { openDatabase } from '../../src/db/client.ts'
import { silent } from '../../test/database.ts'
import { type TestSlapd, testSlapd } from '../../test/slapd.ts'
import { addPeople, benchDatabase, connectTo, ldapTool } from './people.ts'
import { median, onStage, report, timed } from './stage.ts'

/**
 * Comparing unchanged people with the directory, against `ldapsearch -E pr=1000/noprompt` of the same subtree. The
 * comparison runs in a process of its own, so that its memory is what comparing needs.
 */
const count = Number(process.argv[2] ?? 50_000)
const rounds = 5

interface Task {
  url: string
  slapd: TestSlapd
}

interface Measured {
  milliseconds: number[]
  /** Peak resident memory, MB. */
  memory: number
}

const compare = async ({ url, slapd }: Task): Promise<Measured> => {
  const milliseconds: number[] = []
  await onStage(async (stage) => {
    const database = await openDatabase({ url, dataDir: '', log: silent })
    stage.teardown(() => database.close())
    const { reconciler } = connectTo(stage, database.db, slapd)
    for (let round = 0; round <= rounds; round++) {
      const took = await timed(async () => {
        const run = await reconciler.synchronize('user', 'all')
        if (run.unchanged !== count) throw new Error(`${run.unchanged} of ${count} people are unchanged`)
      })
      // The first round connects and warms up.
      if (round > 0) milliseconds.push(took)
    }
  })
  return { milliseconds, memory: process.resourceUsage().maxRSS / 1024 }
}

const inProcess = async (task: Task): Promise<Measured> => {
  const child = fork(import.meta.filename, [String(count), 'compare'])
  child.send(task)
  const [measured] = await once(child, 'message')
  return measured
}

if (process.argv[3] === 'compare') {
  process.once('message', async (task: Task) => {
    process.send?.(await compare(task))
    process.disconnect()
  })
} else {
  await onStage(async (stage) => {
    const { db, url } = await benchDatabase(stage)
    const slapd = await testSlapd(stage)
    const { reconciler } = connectTo(stage, db, slapd)
    await addPeople(db, count)
    await reconciler.synchronize('user', 'pending')
    await reconciler.synchronize('user', 'all')
    const search = ['-LLL', '-E', 'pr=1000/noprompt', '-b', `ou=people,${slapd.baseDn}`]
    const baseline: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const took = await timed(() => ldapTool(slapd, 'ldapsearch', search))
      if (round > 0) baseline.push(took)
    }
    const { milliseconds, memory } = await inProcess({ url, slapd: JSON.parse(JSON.stringify(slapd)) })
    const ratio = median(milliseconds) / median(baseline)
    console.log(
      `${count} people unchanged: comparison ${median(milliseconds).toFixed(0)} ms, ` +
        `ldapsearch ${median(baseline).toFixed(0)} ms, peak memory ${memory.toFixed(0)} MB`,
    )
    report([
      { what: 'drift, time over ldapsearch', ratio, goal: '≤ 1.2', met: ratio <= 1.2 },
      { what: 'drift, memory over 300 MB', ratio: memory / 300, goal: '≤ 1', met: memory <= 300 },
    ])
  })
}
