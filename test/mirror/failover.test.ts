import t, { type Test } from 'tap'
import { openOutbox } from '../../src/alerts/notifications/outbox.ts'
import { tellOtherServer } from '../../src/mirror/directory/other-server.ts'
import { eventually } from '../eventually.ts'
import { becomesEqual } from '../faults/entries.ts'
import { person } from '../people/console.ts'
import { skipWithoutSlapd, type TestSlapd, testSlapd } from '../slapd.ts'
import { steward, type TestSteward } from '../steward.ts'
import { userOf } from './looks.ts'

// LDAP_URL with several servers: real ones, each with its own copy of the directory.

/** Two servers that both accept changes and copy each other's. */
const mirrored = async (t: Test): Promise<[TestSlapd, TestSlapd]> => {
  const first = await testSlapd(t, { replicated: true })
  const second = await testSlapd(t, { replicated: true, empty: true })
  await second.follow(first, 2)
  await first.follow(second, 1)
  return [first, second]
}

const servedBy = (t: Test, ...servers: [TestSlapd, ...TestSlapd[]]): Promise<TestSteward> =>
  steward(t, {
    directory: servers[0],
    env: {
      LDAP_URL: servers.map(({ url }) => url).join(' '),
      LDAP_RETURN_INTERVAL: '300ms',
      DRIFT_INTERVAL: '1h',
    },
  })

const add = async ({ take }: TestSteward, ...usernames: string[]): Promise<void> => {
  for (const username of usernames) await take('addUser', { body: person(username) })
}

const has = async (slapd: TestSlapd, username: string): Promise<boolean> =>
  (await slapd.ldapsearch('-b', slapd.baseDn, `(uid=${username})`, 'dn')) !== ''

/** The server that the service says it has moved to, last of all. */
const movedTo = ({ logs }: TestSteward): string | undefined =>
  logs
    .map((line): { to?: string; msg: string } => JSON.parse(line))
    .filter(({ msg }) => msg.startsWith('Another server of LDAP_URL'))
    .at(-1)?.to

t.test('servers', { skip: skipWithoutSlapd }, async (t) => {
  t.test(
    'the second server is used while the first one is away, and the first one once it has caught up',
    async (t) => {
      const [first, second] = await mirrored(t)
      const s = await servedBy(t, first, second)
      await add(s, 'ann')
      await becomesEqual(t, s, first)
      await becomesEqual(t, s, second)
      t.equal(movedTo(s), undefined)

      await first.stop('SIGKILL')
      await add(s, 'bob', 'cyd')
      const ann = await userOf(s, 'ann')
      await s.take('changeUserStatus', { body: { id: ann.id, status: 2 } })
      await becomesEqual(t, s, second)
      t.equal(movedTo(s), second.url)
      const places = { preferred: first.url, current: second.url }
      t.strictSame(s.mirror.servers(), places)
      const outbox = openOutbox({ recipients: [], webhook: false, timeZone: 'UTC' })
      await tellOtherServer({ db: s.db, outbox }, places)
      const { alerts } = await s.take('listAlerts', { query: { handled: false } })
      t.match(
        alerts.find(({ title }) => title.includes('first server')),
        { level: 'warning', description: new RegExp(second.url) },
        'an administrator is told',
      )

      await first.start()
      await eventually(() => movedTo(s) === first.url, 'the first server is used again')
      t.ok(await has(first, 'cyd'), 'it had what was written while it was away')
      await add(s, 'dee')
      t.ok(await has(first, 'dee'), 'new changes go to it')
      await becomesEqual(t, s, first)
      await becomesEqual(t, s, second)
    },
  )

  t.test('a server that ends under many writes loses none of them, and has none twice', async (t) => {
    const [first, second] = await mirrored(t)
    const s = await servedBy(t, first, second)
    const names = Array.from({ length: 60 }, (_, index) => `writer${index}`)
    const adding = Promise.all([0, 1, 2].map((lane) => add(s, ...names.filter((_, index) => index % 3 === lane))))
    await eventually(() => has(first, 'writer6'), 'the writes are under way')
    await first.stop('SIGKILL')
    await adding
    await becomesEqual(t, s, second)
    await first.start()
    await eventually(() => movedTo(s) === first.url, 'the first server is used again')
    await becomesEqual(t, s, first)
    await becomesEqual(t, s, second)
  })

  t.test('a server that refers to another one is told apart, and left', async (t) => {
    const provider = await testSlapd(t, { replicated: true })
    const consumer = await testSlapd(t, { replicated: true, empty: true })
    await consumer.follow(provider)
    await eventually(() => consumer.ldapsearch('-b', consumer.baseDn, '-s', 'base', 'dn').catch(() => ''), 'the copy')
    const s = await servedBy(t, consumer, provider)
    await add(s, 'ann')
    await becomesEqual(t, s, provider)
    t.equal(movedTo(s), provider.url)
    t.match(s.logs.join(), /referral \(10\)/, 'the log says why')
    await becomesEqual(t, s, consumer)
    t.equal(movedTo(s), provider.url, 'it is not returned to')
  })

  t.test('a server that accepts no changes for a while is left, and returned to when it does', async (t) => {
    const [first, second] = await mirrored(t)
    const s = await servedBy(t, first, second)
    await add(s, 'ann')
    await becomesEqual(t, s, second)
    await first.readOnly(true)
    await add(s, 'bob')
    await becomesEqual(t, s, second)
    t.equal(movedTo(s), second.url)
    await first.readOnly(false)
    await eventually(() => movedTo(s) === first.url, 'the first server is used again')
    await becomesEqual(t, s, first)
  })

  t.test('where no server can be reached, the reason names them all', async (t) => {
    const [first, second] = await mirrored(t)
    const s = await servedBy(t, first, second)
    await Promise.all([first.stop(), second.stop()])
    await add(s, 'ann')
    t.match(await userOf(s, 'ann'), { syncState: 2 })
    const ports = [first, second].map(({ url }) => new URL(url).port)
    await eventually(async () => {
      const { syncError } = await userOf(s, 'ann')
      return ports.every((port) => syncError.includes(port))
    }, 'a reason that names both')
    await second.start()
    await becomesEqual(t, s, second)
  })
})
