import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import postgres from 'postgres'
import t from 'tap'
import { openDatabase } from '../../src/db/client.ts'
import { postgresMissing, silent, testPostgres } from '../database.ts'
import { startServer } from '../server-process.ts'
import { runMove } from './run-move.ts'

// steward move recognizes its source: which installation it is, and whether it is as it was when it was copied.

t.setTimeout(300_000)

const folder = await mkdtemp(join(tmpdir(), 'steward-move-source-'))
t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))

t.test(
  'another installation, and one that was changed without an entry in the log',
  { skip: postgresMissing },
  async (t) => {
    const server = await testPostgres(t)
    const administrator = postgres(server.url, { max: 1, onnotice: () => {} })
    t.teardown(() => administrator.end())
    const emptyDatabase = async (name: string): Promise<string> => {
      await administrator.unsafe(`create database ${name}`)
      return new URL(`/${name}`, server.url).href
    }
    const [one, other] = [{ DATA_DIR: join(folder, 'one') }, { DATA_DIR: join(folder, 'other') }]
    const noteOf = ({ DATA_DIR }: typeof one): string => join(DATA_DIR, 'moved-to-a-server')
    const move = (to: string, env: Record<string, string>, onLine?: (line: string, pid: number) => unknown) =>
      runMove(['--to', to], { folder, env, ...(onLine && { onLine }) })
    // No person signs in: the operation logs are empty, and so they are the same.
    for (const env of [one, other]) await (await startServer(t, env)).stop()

    const change = async (statement: SQL): Promise<void> => {
      const source = await openDatabase({ url: null, dataDir: one.DATA_DIR, log: silent })
      await source.db.execute(statement)
      await source.close()
    }
    await change(sql`insert into nt_hashes (user_id, sealed) select id, 'sealed' from users`)
    await change(sql`insert into scheme_hashes (user_id, scheme, sealed) select id, 'ssha512', 'sealed too' from users`)

    const url = await emptyDatabase('target')
    t.match(await move(url, one), { status: 0, stdout: /both sides hold the same/ })
    const refused = await move(url, other)
    t.match(refused, { status: 2, stdout: '', stderr: /^ +--to: another installation was moved into this database/m })
    t.notOk(existsSync(noteOf(other)), 'it is not said to have been moved')
    const target = postgres(url, { max: 1, onnotice: () => {} })
    const hashes =
      await target`select n.sealed as nt, s.sealed as other from nt_hashes n join scheme_hashes s using (user_id)`
    t.strictSame(
      hashes.map((each) => ({ ...each })),
      [{ nt: 'sealed', other: 'sealed too' }],
      'no entry loses its password',
    )
    await target.end()

    await rm(noteOf(one))
    t.match(await move(url, one), { status: 0, stdout: /An earlier run had copied and compared everything/ })
    await rm(noteOf(one))
    await change(sql`update users set nickname = 'Changed'`)
    t.match(await move(url, one), { status: 2, stdout: '', stderr: /and the installation was used since/ })
    t.notOk(existsSync(noteOf(one)))

    const onward = await emptyDatabase('onward')
    const onServer = { ...one, DATABASE_URL: url }
    const used = await move(onward, onServer, async (line, pid) => {
      if (!/^Comparing: \d+ rows/.test(line)) return
      process.kill(pid, 'SIGSTOP')
      const client = postgres(url, { max: 1, onnotice: () => {} })
      await client`update users set nickname = 'Changed too'`
      await client.end()
      process.kill(pid, 'SIGCONT')
    })
    t.match(used, {
      status: 1,
      stderr: /^The move failed: the source was used during the copy \(the rows of users differ\)/m,
    })
    t.match(await move(onward, onServer), { status: 0, stdout: /both sides hold the same/ })
  },
)
