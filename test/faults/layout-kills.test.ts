import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Secret, TOTP } from 'otpauth'
import t, { type Test } from 'tap'
import { openDirectory, type SearchOptions } from '../../src/ldap/directory.ts'
import { equals } from '../../src/ldap/filter.ts'
import { copyTemplate, silent } from '../database.ts'
import { eventually } from '../eventually.ts'
import { ldapGate } from '../mirror/gate.ts'
import { fileLimit, sampleOf } from '../nightly.ts'
import { person } from '../people/console.ts'
import { dataFolder, errorsIn, type ServerProcess, startServer } from '../server-process.ts'
import { directorySettings, skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { adminPassword } from '../steward.ts'

// A change of the layout of groups that is killed: what began is finished after the next start, and what did not begin is not.

t.setTimeout(fileLimit(400_000))

type Layout = 'nested' | 'flat'

/** DNs below the base, with the people that each group lists. */
type Tree = Record<string, string>

/** Chains of groups below each other, all of the same names but one: the flat layout gives numbers. */
const chains = 5
const depth = 4
const lastName = 'group of all'

const places = (layout: Layout): Tree => {
  const tree: Tree = {}
  for (let chain = 0; chain < chains; chain++) {
    let above = ''
    for (let level = 0; level < depth; level++) {
      const name = level === depth - 1 ? lastName : `group ${chain}-${level}`
      const number = layout === 'flat' && level === depth - 1 && chain > 0 ? String(chain + 1) : ''
      const own = `cn=${name}${number}`
      tree[layout === 'flat' ? `${own},ou=groups` : `${own}${above}`] = level === depth - 1 ? 'ann' : ''
      above = `,cn=${name}${above}`
    }
  }
  return tree
}

const office = async (t: Test) => {
  const slapd = await testSlapd(t)
  const gate = await ldapGate(t, slapd.url, 'cn=group ')
  const dataDir = await dataFolder(t)
  await copyTemplate(dataDir)
  const environment = {
    ...{ DATA_DIR: dataDir, LDAP_TIMEOUT: '60s', SYNC_WAIT: '60s', DRIFT_INTERVAL: '1d' },
    ...directorySettings({ ...slapd, url: gate.url }),
  }
  const start = (layout: Layout): Promise<ServerProcess> =>
    startServer(t, { ...environment, LDAP_GROUP_LAYOUT: layout })
  const directory = openDirectory({ ...slapd, startTls: false, ca: null, timeout: 5000, log: silent })
  t.teardown(() => directory.close())
  const tree = async (): Promise<Tree> => {
    const found: Tree = {}
    const search: SearchOptions = {
      scope: 'sub',
      filter: equals('objectClass', 'groupOfNames'),
      attributes: ['member'],
    }
    for await (const page of directory.search(slapd.baseDn, search)) {
      for (const { dn, attributes } of page) {
        const names = (attributes.member ?? []).flatMap((member) => /^uid=(\w+),ou=people,/.exec(member)?.[1] ?? [])
        found[dn.slice(0, -slapd.baseDn.length - 1)] = names.join(' ')
      }
    }
    return found
  }
  const becomes = async (t: Test, layout: Layout, what: string): Promise<void> => {
    await eventually(async () => isDeepStrictEqual(await tree(), places(layout)), what, 60_000).catch(() => {})
    t.strictSame(await tree(), places(layout), what)
  }
  return { gate, start, tree, becomes }
}

const params = { directory: 1 }
const otherOf = (layout: Layout): Layout => (layout === 'flat' ? 'nested' : 'flat')

/** The groups, Ann in the last one of each chain, and an administrator whose session can be stepped up. */
const begin = async (t: Test, server: ServerProcess) => {
  const token = await server.signIn()
  const added = async (id: 'addUser' | 'addGroup', body: object): Promise<number> => {
    const reply = await server.call(id, { token, body })
    t.equal(reply.code, 0)
    return reply.data.id
  }
  const ends: number[] = []
  for (let chain = 0; chain < chains; chain++) {
    let parentId = 0
    for (let level = 0; level < depth; level++) {
      const groupName = level === depth - 1 ? lastName : `group ${chain}-${level}`
      parentId = await added('addGroup', { groupName, groupType: 'cn', parentId })
    }
    ends.push(parentId)
  }
  await added('addUser', person('ann', { departmentId: ends }))
  const { data: app } = await server.call('enrolTotp', { token, body: { password: adminPassword } })
  const code = TOTP.generate({ secret: Secret.fromBase32(app.secret) })
  const { data: confirmed } = await server.call('confirmTotp', { token, body: { code } })
  return { token, codes: [...confirmed.recoveryCodes] }
}

t.test('kill -9 during a change of the layout of groups', { skip: skipWithoutSlapd }, async (suite) => {
  const { gate, start, tree, becomes } = await office(suite)
  let server = await start('nested')
  const { token, codes } = await begin(suite, server)
  await becomes(suite, 'nested', 'everything is there')
  let layout: Layout = 'nested'

  const restart = async (wanted: Layout): Promise<void> => {
    if (server.running()) await server.stop()
    server = await start(wanted)
  }
  const planNow = async () => (await server.call('getGroupLayout', { token, params, query: { pageSize: 100 } })).data
  /** Sends the plan that is in effect, with the second factor. */
  const change = async (t: Test) => {
    const { planHash, ...plan } = await planNow()
    t.match(plan, { layout, wanted: otherOf(layout), total: chains * depth, waiting: 0 })
    const body = { method: 'recovery', code: codes.shift() }
    t.match(await server.call('stepUp', { token, body }), { code: 200 })
    return () => server.call('changeGroupLayout', { token, params, body: { planHash, confirmed: true } })
  }
  /** All groups are where the layout wants them, by the directory, by the plan, and by a comparison. */
  const isDone = async (t: Test, now: Layout): Promise<void> => {
    layout = now
    await becomes(t, now, `all groups are ${now}, with their members`)
    await eventually(async () => (await planNow()).waiting === 0, 'nothing waits')
    t.match(await planNow(), { layout: now })
    const { data } = await server.call('compareDirectory', { token, body: { kind: 'groups' } })
    t.match(data, { state: 'done', added: 0, updated: 0, moved: 0, failed: 0 })
    t.same(errorsIn(server.output()), [])
  }

  /** `passed` of the changes are made. With `takenBack` the next process starts with the setting of before. */
  const moments = [0, 1, 3, 8, 13, 19].map((passed, at) => ({ passed, takenBack: at % 2 === 1 }))
  for (const { passed, takenBack } of sampleOf(suite, 'kills by changes made', moments, 2)) {
    await suite.test(`after ${passed} changes${takenBack ? ', and the setting is taken back' : ''}`, async (t) => {
      const [before, after] = [layout, otherOf(layout)]
      await restart(after)
      const send = await change(t)
      gate.letPass(passed)
      const lost = send().catch((error: unknown) => error)
      const runs = async () =>
        (await server.call('listRuns', { token, query: { source: 'sql', pageSize: 1 } })).data.runs
      await eventually(async () => gate.waiting() > 0 && (await runs())[0]?.state === 'running', 'the change waits')
      t.match(await server.kill(), { signal: 'SIGKILL' })
      t.type(await lost, TypeError, 'the connection was lost')
      t.notSame(await tree(), places(after), 'it was half-way')
      gate.letPass(Number.POSITIVE_INFINITY)
      await restart(takenBack ? before : after)
      const [broken] = await runs()
      t.match(broken, { state: 'failed', finishedAt: String })
      const { data: run } = await server.call('getRun', { token, params: { id: broken?.runId ?? 0 } })
      t.match(run.problems, [{ stated: { code: 'sync.broken_off' } }])
      await isDone(t, after)
    })
  }

  // Before the change is committed, at it, and after. There are no more recovery codes than moments.
  const early = [30, 150, 300, 600]
  for (const milliseconds of sampleOf(suite, 'kills by milliseconds after the request', early, 1)) {
    await suite.test(`${milliseconds} ms after the request`, async (t) => {
      const [before, after] = [layout, otherOf(layout)]
      await restart(after)
      const send = await change(t)
      const lost = send().catch((error: unknown) => error)
      await delay(milliseconds)
      await server.kill()
      await lost
      await restart(after)
      const { layout: now } = await planNow()
      t.comment(`the change ${now === after ? 'had begun' : 'had not begun'}`)
      await isDone(t, now === after ? after : before)
    })
  }
})
