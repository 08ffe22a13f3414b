import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newFolder } from './service.ts'
import { median, onStage, report } from './stage.ts'

/**
 * From `node dist/main/server.js` to the first answer, on a data directory that has been used before, against a process that
 * does nothing but open the same database with PGlite. Run `npm run build` first.
 */
const rounds = Number(process.argv[2] ?? 5)
const goal = 3000

const server = fileURLToPath(new URL('../../dist/main/server.js', import.meta.url))
const openOnly = `
  import { PGlite } from '@electric-sql/pglite'
  import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
  const db = await PGlite.create(process.argv[1], { extensions: { pg_trgm } })
  await db.query('select 1')
  process.exit()`

const firstAnswer = async (dataDir: string): Promise<number> => {
  const started = performance.now()
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', EMBEDDED_LDAP_PORT: '0', LOG_LEVEL: 'warn' }
  const child = spawn(process.execPath, [server], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  let url: string | undefined
  for await (const chunk of child.stdout) {
    printed += String(chunk)
    url = /listens on (\S+)/.exec(printed)?.[1]
    if (url !== undefined) break
  }
  const answer = await fetch(`${url}/api/base/ping`)
  await answer.text()
  const took = performance.now() - started
  child.kill('SIGTERM')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return took
}

const databaseOnly = async (cluster: string): Promise<number> => {
  const started = performance.now()
  const child = spawn(process.execPath, ['--input-type=module', '-e', openOnly, cluster], { stdio: 'inherit' })
  await once(child, 'exit')
  return performance.now() - started
}

await onStage(async (stage) => {
  const dataDir = await newFolder(stage)
  const first = await firstAnswer(dataDir)
  const ours: number[] = []
  const baseline: number[] = []
  for (let round = 0; round < rounds; round++) {
    ours.push(await firstAnswer(dataDir))
    baseline.push(await databaseOnly(join(dataDir, 'postgres')))
  }
  const took = median(ours)
  console.log(
    `first start ever ${first.toFixed(0)} ms; on a used folder ${took.toFixed(0)} ms, ` +
      `opening its database alone ${median(baseline).toFixed(0)} ms`,
  )
  report([
    { what: 'start over 3 s', ratio: took / goal, goal: '≤ 1', met: took <= goal },
    {
      what: 'start over opening the database alone',
      ratio: took / median(baseline),
      goal: 'for comparison',
      met: true,
    },
  ])
})
