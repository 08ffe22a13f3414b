import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { postgresMissing, testPostgres } from '../database.ts'
import { person } from '../people/console.ts'
import { dataFolder, startServer } from '../server-process.ts'
import { adminPassword } from '../steward.ts'

// Two instances of one installation, on hosts whose clocks differ by an hour.

t.setTimeout(300_000)

const hour = 3_600_000

t.test('instances agree on what is over, though their clocks differ', { skip: postgresMissing }, async (suite) => {
  const postgres = await testPostgres(suite)
  const wrongClock = pathToFileURL(join(import.meta.dirname, 'wrong-clock.js')).href
  const environment = {
    DATA_DIR: await dataFolder(suite),
    DATABASE_URL: postgres.url,
    EMBEDDED_LDAP_PORT: 'off',
  }
  const right = await startServer(suite, environment)
  const ahead = await startServer(suite, {
    ...environment,
    NODE_OPTIONS: `--import ${wrongClock}`,
    WRONG_CLOCK: `${hour}`,
  })
  const token = await right.signIn()

  await suite.test('a token of one counts at the other', async (t) => {
    t.equal((await ahead.call('listUsers', { token })).code, 0, 'of the one that is behind')
    t.equal((await right.call('listUsers', { token: await ahead.signIn() })).code, 0, 'of the one that is ahead')
  })

  await suite.test('two exchanges of a token at once are no theft', async (t) => {
    for (const [first, second] of [
      [right, ahead],
      [ahead, right],
    ] as const) {
      const old = await first.signIn()
      const [one, other] = [
        await first.call('refreshToken', { token: old }),
        await second.call('refreshToken', { token: old }),
      ]
      t.match([one.code, other.code], [0, 0])
    }
    const { alerts } = (await right.call('searchAlerts', { token })).data
    t.strictSame(
      alerts.filter(({ rule }) => rule === 'tokenReused'),
      [],
    )
  })

  await suite.test('an encrypted password is good for its ten minutes', async (t) => {
    const made = await right.call('encryptPassword', { query: { passwd: adminPassword } })
    const body = { username: 'admin', password: made.data }
    t.equal((await ahead.call('login', { body })).code, 0)
  })

  await suite.test('a lock of one holds at the other', async (t) => {
    await right.call('addUser', { token, body: person('locked', { password: 'the right password' }) })
    const attempt = (server: typeof right) =>
      server.call('login', { body: { username: 'locked', password: 'a wrong password' } })
    for (let failed = 0; failed < 10; failed += 1) t.equal((await attempt(right)).code, 401)
    t.equal((await attempt(right)).code, 429)
    t.equal((await attempt(ahead)).code, 429)
  })

  await suite.test('an entry of the log has the time at which it was written', async (t) => {
    await ahead.call('listRoles', { token })
    const { logs } = (await right.call('listOperationLogs', { token, query: { pageNum: 1, pageSize: 5 } })).data
    for (const { startTime } of logs) t.ok(Date.parse(startTime) < Date.now() + 60_000, startTime)
    t.match(ahead.output(), /the clock of this host is not that of the database/)
    t.notMatch(right.output(), /the clock of this host/)
  })
})
