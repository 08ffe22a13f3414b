import { isDeepStrictEqual } from 'node:util'
import t, { type Test } from 'tap'
import { postgresMissing, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { ldapGate } from '../mirror/gate.ts'
import { fileLimit, sampleOf } from '../nightly.ts'
import { person } from '../people/console.ts'
import { dataFolder, errorsIn, type ServerProcess, startServer } from '../server-process.ts'
import { directorySettings, skipWithoutSlapd, testSlapd } from '../slapd.ts'

// A further directory gets other groups than before (LDAP_2_GROUPS), while instances die, and while two have different settings.

t.setTimeout(fileLimit(300_000))

const size = 6
const names = (group: string): string[] => Array.from({ length: size }, (_, n) => `${group.toLowerCase()}${n}`)

const office = async (t: Test) => {
  const [postgres, first, second] = [await testPostgres(t), await testSlapd(t), await testSlapd(t)]
  const gate = await ldapGate(t, second.url, 'uid=')
  const tools = ldapTools(second)
  const environment = {
    ...{ DATA_DIR: await dataFolder(t), DATABASE_URL: postgres.url, LDAP_TIMEOUT: '60s', DRIFT_INTERVAL: '1d' },
    ...directorySettings(first),
  }
  const settings = {
    ...{ LDAP_2_BASE_DN: second.baseDn, LDAP_2_BIND_DN: second.bindDn, LDAP_2_BIND_PASSWORD: second.bindPassword },
    LDAP_2_TIMEOUT: '60s',
  }
  const held = async (): Promise<string[]> =>
    (await tools.names('(|(uid=*)(objectClass=groupOfNames))'))
      .flatMap((dn) => /^(?:uid|cn)=([^,]+)/.exec(dn)?.[1] ?? [])
      .sort()
  return {
    gate,
    held,
    /** @param groups the setting; null: there is no second directory */
    start: (groups: readonly number[] | null): Promise<ServerProcess> =>
      startServer(t, {
        ...environment,
        ...(groups !== null && {
          ...settings,
          LDAP_2_URL: gate.url,
          LDAP_2_GROUPS: groups.join(' '),
        }),
      }),
    becomes: async (t: Test, wanted: readonly string[], what: string): Promise<void> => {
      const all = [...wanted].sort()
      await eventually(async () => isDeepStrictEqual(await held(), all), what, 60_000).catch(() => {})
      t.strictSame(await held(), all, what)
    },
  }
}

t.test('a change of LDAP_2_GROUPS', { skip: skipWithoutSlapd || postgresMissing }, async (suite) => {
  const s = await office(suite)
  let server = await s.start(null)
  const token = await server.signIn()
  const added = async (id: 'addUser' | 'addGroup', body: object): Promise<number> =>
    (await server.call(id, { token, body })).data.id
  const groups: Record<string, number> = {}
  for (const groupName of ['North', 'South']) {
    const id = await added('addGroup', { groupName, groupType: 'cn', parentId: 0 })
    groups[groupName] = id
    for (const name of names(groupName)) await added('addUser', person(name, { departmentId: [id] }))
  }
  const { North: north = 0, South: south = 0 } = groups
  const [inNorth, inSouth] = [
    ['North', ...names('North')],
    ['South', ...names('South')],
  ]
  const all = [...inNorth, ...inSouth]
  const restart = async (wanted: readonly number[]): Promise<void> => {
    if (server.running()) await server.stop()
    server = await s.start(wanted)
  }
  await restart([north, south])
  await s.becomes(suite, all, 'the second one has both')

  const moments = [0, 1, 3, 5].flatMap((passed) => [false, true].map((takenBack) => ({ passed, takenBack })))
  for (const { passed, takenBack } of sampleOf(suite, 'kills by removals made', moments, 2)) {
    await suite.test(
      `killed after ${passed} removals${takenBack ? ', and the setting is taken back' : ''}`,
      async (t) => {
        await server.stop()
        s.gate.letPass(passed)
        server = await s.start([north])
        await eventually(() => s.gate.waiting() > 0, 'a removal waits')
        t.match(await server.kill(), { signal: 'SIGKILL' })
        t.notSame(await s.held(), inNorth, 'it was half-way')
        s.gate.letPass(Number.POSITIVE_INFINITY)
        await restart(takenBack ? [north, south] : [north])
        await s.becomes(t, takenBack ? all : inNorth, 'nothing is left half done')
        t.same(errorsIn(server.output()), [])
        await restart([north, south])
        await s.becomes(t, all, 'and back')
        const { data } = await server.call('compareDirectory', { token, body: { kind: 'users' } })
        t.match(data, { state: 'done', failed: 0 })
      },
    )
  }

  await suite.test('of two instances with different settings the one that was started last decides', async (t) => {
    const other = await s.start([north])
    await s.becomes(t, inNorth, 'the older instance follows the setting of the newer one')
    const add = async (by: ServerProcess, name: string, group: number) =>
      (await by.call('addUser', { token, body: person(name, { departmentId: [group] }) })).code
    t.equal(await add(server, 'late-south', south), 0)
    t.equal(await add(server, 'late-north', north), 0)
    t.equal(await add(other, 'later-south', south), 0)
    await s.becomes(t, [...inNorth, 'late-north'], 'also for what is changed through the older one')
    t.equal(
      (
        await server.call('deleteUsers', {
          token,
          body: {
            userIds: [(await server.call('listUsers', { token, query: { username: 'late-north' } })).data.users[0]?.id],
          },
        })
      ).code,
      0,
    )
    await s.becomes(t, inNorth, 'and what is removed through it')
    await restart([north, south])
    const complete = [...all, 'late-south', 'later-south']
    await s.becomes(t, complete, 'and the older one decides when it is started again')
    for (const each of [server, other]) t.same(errorsIn(each.output()), [])
    await other.stop()
  })
})
