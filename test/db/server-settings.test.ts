import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { type Database, openDatabase } from '../../src/db/client.ts'
import { serverSettings } from '../../src/db/server-settings.ts'
import { postgresMissing, silent, testEmbeddedDatabase, testPostgres, testServerDatabase } from '../database.ts'

const suite = async (t: Test, { db }: Pick<Database, 'db'>): Promise<void> => {
  for (const [name, value] of Object.entries(serverSettings)) {
    const [row] = await db.execute<{ value: string }>(sql`select current_setting(${name}) as value`)
    t.equal(row?.value, value, name)
  }
}

t.test('PostgreSQL has our settings', { skip: postgresMissing }, async (t) => suite(t, await testServerDatabase(t)))

t.test('its sessions may be idle for as long as they are', { skip: postgresMissing }, async (t) => {
  const { url } = await testPostgres(t)
  const admin = postgres(url, { max: 1 })
  t.teardown(() => admin.end())
  await admin.unsafe(`alter database postgres set idle_session_timeout = '200ms'`)
  const { db, close } = await openDatabase({ url, dataDir: '', log: silent })
  t.teardown(close)
  const slept = (seconds: number): Promise<unknown> =>
    db.transaction((tx) => tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid, pg_sleep(${seconds})::text`))
  const sessions = async (): Promise<number[]> => {
    const rows = await admin<{ pid: number }[]>`
      select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() order by pid`
    return rows.map(({ pid }) => pid)
  }
  await Promise.all([slept(0.1), slept(0.1), slept(0.1)])
  const open = await sessions()
  t.ok(open.length >= 3, `${open.length} are open`)
  // Had one of them been closed, the client would be replaced, and this be ended after ten seconds.
  await slept(1)
  t.same(await sessions(), open)
})

t.test('so has the embedded database', async (t) => suite(t, await testEmbeddedDatabase(t)))
