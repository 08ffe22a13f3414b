import postgres from 'postgres'
import t from 'tap'
import { postgresMissing } from '../database.ts'
import { eventually } from '../eventually.ts'
import { fileLimit } from '../nightly.ts'
import { startPostgres } from '../postgres-server.ts'
import { dataFolder, runServer, startServer } from '../server-process.ts'

// A database that answers and cannot work: the service says what it lacks.

t.setTimeout(fileLimit(300_000))

t.test('a database that accepts no changes', { skip: postgresMissing }, async (t) => {
  const server = await startPostgres()
  t.teardown(() => server.dispose())
  const sql = postgres(server.url, { max: 1, onnotice: () => {} })
  t.teardown(() => sql.end({ timeout: 1 }))
  await sql`set default_transaction_read_only = off`
  const settings = { DATABASE_URL: server.url, DATA_DIR: await dataFolder(t), EMBEDDED_LDAP_PORT: 'off' }
  const service = await startServer(t, settings)
  const turn = async (on: boolean): Promise<void> => {
    await sql.unsafe(`alter database postgres set default_transaction_read_only = ${on ? 'on' : 'off'}`)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`
  }
  const ready = async (): Promise<string> => JSON.stringify(await service.call('getReadiness'))

  await turn(true)
  // Whatever it does is for the log, too.
  await service.call('login', { body: { username: 'nobody', password: 'a wrong password' } })
  const said = async (): Promise<boolean> => (await ready()).includes('not ready: the database accepts no changes')
  t.ok(await eventually(said, 'the readiness says what is missing'))
  await turn(false)
  t.ok(await eventually(async () => (await ready()).includes('"ready"'), 'it is ready again'))
  t.equal((await service.stop()).code, 0)

  await turn(true)
  const refused = await runServer(t, settings)
  t.equal(refused.code, 1)
  t.match(refused.output, /Waiting for the database: .* accepts no changes/)
  t.match(refused.output, /DATABASE_URL: .* accepts no changes\. Name the primary server/)
})
