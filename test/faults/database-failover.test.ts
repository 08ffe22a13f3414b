import t from 'tap'
import { parseConfig } from '../../src/config/config.ts'
import { openDatabase } from '../../src/db/client.ts'
import { postgresMissing, silent } from '../database.ts'
import { eventually } from '../eventually.ts'
import { person } from '../people/console.ts'
import { hostsOf, startPostgres } from '../postgres-server.ts'
import { steward } from '../steward.ts'

// A primary and a standby that confirms every commit: the primary is killed while changes are made.

t.test('a standby takes over', { skip: postgresMissing }, async (t) => {
  const primary = await startPostgres()
  t.teardown(() => primary.dispose())
  const standby = await primary.standby()
  t.teardown(() => standby.dispose())
  // The standby first: it is passed over while it accepts no changes.
  const { databaseUrl } = parseConfig({ DATABASE_URL: hostsOf(standby, primary) })
  const database = await openDatabase({ url: databaseUrl, dataDir: t.testdir(), log: silent })
  t.teardown(database.close)
  const s = await steward(t, { database })

  const answered: string[] = []
  const away: number[] = []
  let ending = false
  const writer = async (name: string): Promise<void> => {
    for (let n = 0; !ending; n++) {
      const username = `${name}${n}`
      const { code } = await s.ask('addUser', { body: person(username) })
      if (code === 0) answered.push(username)
      else away.push(code)
    }
  }
  const writers = ['a', 'b', 'c', 'd'].map(writer)
  await eventually(() => answered.length >= 40 || undefined, 'changes are made')
  await primary.stop('immediate')
  const before = answered.length
  await standby.promote()
  await eventually(() => answered.length >= before + 40 || undefined, 'changes are made again')
  ending = true
  await Promise.all(writers)

  t.same(
    [...new Set(away)].filter((code) => code !== 503),
    [],
    'what failed said that the database is away',
  )
  const { users } = await s.take('listUsers', { query: { pageSize: 1000 } })
  const there = new Map(users.map(({ username, syncState }) => [username, syncState]))
  t.same(
    answered.filter((username) => !there.has(username)),
    [],
    `all of ${answered.length} that were answered are there`,
  )
  t.equal(there.size, users.length, 'none twice')
  await eventually(async () => {
    const { users } = await s.take('listUsers', { query: { syncState: 2 } })
    return users.length === 0 || undefined
  }, 'the directory has all of them')

  // Changes are heard again: the connection that listens has moved too.
  const { id, token } = await s.person('reader')
  t.equal((await s.call('getUserInfo', { token })).code, 0)
  await s.take('changeUserStatus', { body: { id, status: 2 } })
  t.equal((await s.call('getUserInfo', { token })).code, 401)
  await s.take('verifyLog')
  const verified = await eventually(async () => (await s.take('getLogChain')).verification, 'the log is verified')
  t.match(verified, { failure: '', broken: undefined })
  t.ok(verified && verified.checked > before, 'the operation log is whole')
})
