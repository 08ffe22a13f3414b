import { type SQL, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { openDatabase } from '../../src/db/client.ts'
import { touch, touchDeleted } from '../../src/mirror/touch.ts'
import { postgresMissing, silent, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { ldapGate } from '../mirror/gate.ts'
import { fileLimit, sampleOf } from '../nightly.ts'
import { person } from '../people/console.ts'
import { dataFolder, errorsIn, type ServerProcess, startServer } from '../server-process.ts'
import { directorySettings, skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { adminPassword } from '../steward.ts'

// What is taken away although the directory refuses the rest, while one of two instances is killed.

t.setTimeout(fileLimit(400_000))

const former = 'seven-quiet-lanterns'

/** Milliseconds until a living instance has taken over what a dead one had begun. */
const takenOver = 60_000

const office = async (t: Test) => {
  const [postgres, slapd] = [await testPostgres(t), await testSlapd(t)]
  const database = await openDatabase({ url: postgres.url, dataDir: '', log: silent })
  t.teardown(() => database.close())
  const gate = await ldapGate(t, slapd.url, 'uid=')
  const environment = {
    ...{ DATA_DIR: await dataFolder(t), DATABASE_URL: postgres.url, LDAP_TIMEOUT: '60s', DRIFT_INTERVAL: '1d' },
    ...directorySettings({ ...slapd, url: gate.url }),
  }
  const { db } = database
  return {
    slapd,
    gate,
    db,
    start: (): Promise<ServerProcess> => startServer(t, environment),
    bind: async (rdn: string, password: string) =>
      (await ldapTools(slapd).as(`${rdn},${slapd.baseDn}`, password, 'ldapwhoami', [])).code,
    root: ldapTools(slapd),
    waiting: async () =>
      (await db.execute(sql`select from directory_entries e where e.version <> e.synced_version`)).length,
  }
}

const set = (id: number, changes: SQL): SQL => sql`
  update users set ${changes}, password_hash = (select password_hash from users where id = 1) where id = ${id}`

t.test('kill -9 of one of two instances', { skip: skipWithoutSlapd || postgresMissing }, async (suite) => {
  const s = await office(suite)
  const { slapd, gate, db, root, bind } = s
  const instances = [await s.start(), await s.start()]
  const token = (await instances[0]?.signIn()) ?? ''
  const call: ServerProcess['call'] = (id, input) =>
    (instances[1] as ServerProcess).call(id, { token, ...(input as object) } as never)

  /** How many writes of people passed before. */
  const moments = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
  for (const passed of sampleOf(suite, 'kills by writes made', moments, 2)) {
    await suite.test(`after ${passed} writes`, async (t) => {
      const named = (what: string): string => `${what}-${passed}`
      const add = async (what: string): Promise<number> =>
        (await call('addUser', { body: person(named(what), { password: former }) })).data.id
      const [keeps, moves, goes] = [await add('keeps'), await add('moves'), await add('goes')]
      const others = [
        `uid=${named('taken')},ou=people,${slapd.baseDn}`,
        `uid=${named('book')},uid=${named('goes')},ou=people,${slapd.baseDn}`,
      ]
      for (const dn of others) {
        const uid = /^uid=([^,]+)/.exec(dn)?.[1]
        t.equal((await root.run('ldapadd', [], `dn: ${dn}\nobjectClass: account\nuid: ${uid}\n`)).code, 0)
      }
      await eventually(async () => (await s.waiting()) === 0, 'all are there', takenOver)
      const places = ['keeps', 'moves', 'goes'].map((what) => `uid=${named(what)},ou=people`)
      for (const place of places) t.equal(await bind(place, former), 0)
      await slapd.refuse('title', '#')
      // Every hash has one.
      await slapd.refuse('userPassword', '$')
      gate.letPass(passed)
      await db.transaction(async (tx) => {
        await tx.execute(set(keeps, sql`position = '#1'`))
        await tx.execute(set(moves, sql`username = ${named('taken')}, username_key = ${named('taken')}`))
        await touch(tx, 'user', [keeps, moves])
        await touchDeleted(tx, 'user', [goes])
        await tx.execute(sql`delete from users where id = ${goes}`)
      })
      const isOut = async (): Promise<boolean> => {
        for (const place of places) if ((await bind(place, former)) !== 49) return false
        return true
      }
      await eventually(async () => gate.waiting() > 0 || (await isOut()), 'a write waits', takenOver)
      t.match(await instances.shift()?.kill(), { signal: 'SIGKILL' })
      gate.letPass(Number.POSITIVE_INFINITY)
      await eventually(isOut, 'no former password is valid', takenOver)
      // Before the next one starts: its check of passwords would be refused too.
      await slapd.accept()
      instances.push(await s.start())
      for (const dn of others) t.equal((await root.run('ldapdelete', [dn])).code, 0)
      t.equal((await call('syncSqlUsers', { body: { userIds: [keeps, moves] } })).code, 0)
      await eventually(async () => (await s.waiting()) === 0, 'nothing waits', takenOver)
      t.equal(await bind(`uid=${named('keeps')},ou=people`, adminPassword), 0)
      t.equal(await bind(`uid=${named('taken')},ou=people`, adminPassword), 0)
      t.equal(await bind(`uid=${named('moves')},ou=people`, former), 49)
      t.same(await root.names(`(uid=${named('goes')})`), [])
      for (const server of instances) t.same(errorsIn(server.output()), [])
    })
  }
})
