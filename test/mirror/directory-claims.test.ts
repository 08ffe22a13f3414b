import { sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../src/db/client.ts'
import { leases } from '../../src/db/schema.ts'
import { isSameDirectory } from '../../src/mirror/directory/same-directory.ts'
import { postgresMissing, silent, testPostgres } from '../database.ts'
import { person } from '../people/console.ts'
import { dataFolder, errorsIn, runServer, startServer } from '../server-process.ts'
import { directorySettings, skipWithoutSlapd, testSlapd } from '../slapd.ts'

// Several instances on one database whose settings name different directories: each would write half of the entries.

t.setTimeout(240_000)

t.test('one directory is recognized by each spelling of its URL', async (t) => {
  const place = (server: string, baseDn = 'dc=example,dc=org') => ({ servers: [server], baseDn })
  for (const [one, other, same] of [
    ['ldap://host', 'ldap://HOST:389/', true],
    ['ldap://host', 'ldaps://host', true],
    ['ldaps://host:636', 'ldap://host:389', true],
    ['ldap://[::1]:389', 'ldaps://[::1]', true],
    ['ldap://host', 'ldap://host:636', false],
    ['ldap://host:3890', 'ldap://host:3891', false],
    ['ldap://one', 'ldap://two', false],
    ['embedded', 'embedded', true],
    ['embedded a', 'embedded b', false],
  ] as const) {
    t.equal(isSameDirectory(place(one), place(other)), same, `${one} and ${other}`)
  }
  t.ok(isSameDirectory(place('ldap://host'), place('ldap://host', 'DC=Example, DC=org')))
  t.notOk(isSameDirectory(place('ldap://host'), place('ldap://host', 'dc=org')))
})

t.test('one embedded directory on a database', { skip: postgresMissing || skipWithoutSlapd }, async (t) => {
  const [postgres, slapd] = [await testPostgres(t), await testSlapd(t)]
  const { db, close } = await openDatabase({ url: postgres.url, dataDir: '', log: silent })
  t.teardown(close)
  const settings = async () => ({ DATA_DIR: await dataFolder(t), DATABASE_URL: postgres.url })
  const [one, two] = [await settings(), await settings()]
  const refusal = /LDAP_URL: another instance of Steward has the embedded directory on this database; set LDAP_URL/
  let server = await startServer(t, one)
  const token = await server.signIn()

  await t.test('a second one is refused, and the first one goes on', async (t) => {
    for (const [what, others] of [
      ['with a directory of its own', two],
      ['with another directory', { ...two, ...directorySettings(slapd) }],
    ] as const) {
      const { code, output } = await runServer(t, others)
      t.not(code, 0, what)
      t.match(output, refusal, what)
    }
    t.match(await server.call('addUser', { token, body: person('ann') }), { code: 0 })
    t.match(await server.call('listUsers', { token, query: { username: 'ann' } }), {
      data: { users: [{ syncState: 1 }] },
    })
    t.same(errorsIn(server.output()), [])
  })

  await t.test('the same one starts again at once after a kill, with another directory too', async (t) => {
    await server.kill()
    // Its lease is valid for long: it does not wait for its end.
    const late = { leaseUntil: new Date(Date.now() + 3_600_000) }
    await db.update(leases).set(late)
    server = await startServer(t, one)
    await server.kill()
    await db.update(leases).set(late)
    const other = await startServer(t, { ...one, ...directorySettings(slapd) })
    await other.kill()
  })

  await t.test('another one takes over after its end, and waits for it after a kill', async (t) => {
    server = await startServer(t, one)
    await server.stop()
    t.same(await db.select().from(leases), [], 'a stop leaves nothing behind')
    server = await startServer(t, two)
    await server.kill()
    t.equal((await db.select().from(leases)).length, 1)
    server = await startServer(t, one)
    t.match(await server.call('ping'), { code: 0 })
    const { output } = await runServer(t, two)
    t.match(output, refusal)
    t.equal((await server.stop()).code, 0)
  })

  await t.test('of two that start at once one starts', async (t) => {
    const ends = await Promise.all(
      [one, two].map((each) =>
        startServer(t, each).then(
          (started) => ({ started, said: '' }),
          (error: Error) => ({ started: null, said: error.message }),
        ),
      ),
    )
    const started = ends.filter((each) => each.started !== null)
    t.equal(started.length, 1)
    t.match(ends.find((each) => each.started === null)?.said, refusal)
    for (const each of started) await each.started?.stop()
  })
})

t.test('instances with servers agree on the directory', { skip: postgresMissing || skipWithoutSlapd }, async (t) => {
  const [postgres, slapd, elsewhere] = [await testPostgres(t), await testSlapd(t), await testSlapd(t)]
  const { db, close } = await openDatabase({ url: postgres.url, dataDir: '', log: silent })
  t.teardown(close)
  const settings = async (more: Record<string, string> = {}) => ({
    DATA_DIR: await dataFolder(t),
    DATABASE_URL: postgres.url,
    ...directorySettings(slapd),
    ...more,
  })
  const second = (directory: typeof slapd): Record<string, string> =>
    Object.fromEntries(
      Object.entries(directorySettings(directory)).map(([name, value]) => [name.replace('LDAP_', 'LDAP_2_'), value]),
    )
  const following = () => db.execute(sql`select number from directories order by number`)
  const one = await startServer(t, await settings(second(elsewhere)))

  await t.test('another server, another base or the embedded directory is refused', async (t) => {
    const { LDAP_URL: url = '' } = directorySettings(slapd)
    const refusal = (setting: string, at: string) =>
      `${setting}: another instance of Steward on this database writes to the directory at ${at}`
    const embedded = { DATA_DIR: await dataFolder(t), DATABASE_URL: postgres.url }
    for (const [what, others, setting, at] of [
      ['another server', await settings(directorySettings(elsewhere)), 'LDAP_URL', url],
      ['another base', await settings({ LDAP_BASE_DN: 'ou=x,dc=example,dc=com' }), 'LDAP_URL', url],
      ['the embedded directory', embedded, 'LDAP_URL', url],
      [
        'another second one',
        await settings(second({ ...elsewhere, url: 'ldap://127.0.0.1:1' })),
        'LDAP_2_URL',
        directorySettings(elsewhere).LDAP_URL,
      ],
    ] as const) {
      const { code, output } = await runServer(t, others)
      t.not(code, 0, what)
      t.match(output, refusal(setting, at ?? ''), what)
    }
    t.match(await one.call('ping'), { code: 0 })
  })

  await t.test('one whose list has the server too, and none of the second directory, runs beside it', async (t) => {
    const { LDAP_URL: url = '' } = directorySettings(slapd)
    const two = await startServer(t, await settings({ LDAP_URL: `ldap://127.0.0.1:1 ${url}` }))
    t.same(await following(), [{ number: 1 }, { number: 2 }], 'the second directory of the other one is kept')
    const token = await two.signIn()
    t.match(await two.call('addUser', { token, body: person('ann') }), { code: 0 })
    t.equal((await two.stop()).code, 0)
  })

  await t.test('after all have stopped, another directory is taken, and what is not named is forgotten', async (t) => {
    t.equal((await one.stop()).code, 0)
    t.same(await db.select().from(leases), [])
    const other = await startServer(t, await settings(directorySettings(elsewhere)))
    t.same(await following(), [{ number: 1 }])
    await other.stop()
  })
})
