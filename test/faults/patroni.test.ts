import t from 'tap'
import { openDatabase } from '../../src/db/client.ts'
import { silent } from '../database.ts'
import { eventually } from '../eventually.ts'
import { fileLimit } from '../nightly.ts'
import { patroniMissing, testPatroni } from '../patroni.ts'
import { person } from '../people/console.ts'
import { hostsOf } from '../postgres-server.ts'
import { steward } from '../steward.ts'

// Three nodes of Patroni, which decides who is the primary: its machine loses power while changes are made.

t.setTimeout(fileLimit(300_000))

t.test('Patroni makes another node the primary', { skip: patroniMissing }, async (t) => {
  const nodes = await testPatroni(t)
  const database = await openDatabase({ url: hostsOf(...nodes), dataDir: t.testdir(), log: silent })
  t.teardown(database.close)
  const s = await steward(t, { database })

  const answered: string[] = []
  const away: number[] = []
  let killedAt = 0
  let backAt = 0
  let ending = false
  const writer = async (name: string): Promise<void> => {
    for (let n = 0; !ending; n++) {
      const username = `${name}${n}`
      const asked = performance.now()
      const { code } = await s.ask('addUser', { body: person(username) })
      if (code === 0) answered.push(username)
      else away.push(code)
      if (code === 0 && killedAt > 0 && asked > killedAt) backAt ||= performance.now()
    }
  }
  const writers = ['a', 'b', 'c', 'd'].map(writer)
  await eventually(() => answered.length >= 40, 'changes are made')
  const [former] = await Promise.all(nodes.map(async (node) => ((await node.isPrimary()) ? node : null))).then((all) =>
    all.filter((node) => node !== null),
  )
  former?.kill()
  killedAt = performance.now()
  const before = answered.length
  const others = nodes.filter((node) => node !== former)
  await eventually(
    async () => (await Promise.all(others.map((node) => node.isPrimary()))).includes(true),
    'another node is the primary',
  )
  const promotedAt = performance.now()
  await eventually(() => backAt > 0 && answered.length >= before + 40, 'changes are made again')
  ending = true
  await Promise.all(writers)
  const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1)
  t.comment(`another primary after ${seconds(promotedAt - killedAt)} s, a change after ${seconds(backAt - killedAt)} s`)

  t.same(
    [...new Set(away)].filter((code) => code !== 503),
    [],
    'what failed said that the database is away',
  )
  const { users } = await s.take('listUsers', { query: { pageSize: 1000 } })
  const there = new Set(users.map(({ username }) => username))
  t.same(
    answered.filter((username) => !there.has(username)),
    [],
    `all of ${answered.length} that were answered are there`,
  )
  t.equal(there.size, users.length, 'no one twice')
  await eventually(async () => {
    const { users } = await s.take('listUsers', { query: { syncState: 2 } })
    return users.length === 0
  }, 'the directory has all of them')
  await s.take('verifyLog')
  const verified = await eventually(async () => (await s.take('getLogChain')).verification, 'the log is verified')
  t.match(verified, { failure: '', broken: undefined })
})
