import t from 'tap'
import { openDirectory } from '../../src/ldap/directory.ts'
import { copyTemplate, silent } from '../database.ts'
import { eventually } from '../eventually.ts'
import { ldapGate } from '../mirror/gate.ts'
import { dataFolder, errorsIn, startServer } from '../server-process.ts'
import { directorySettings, skipWithoutSlapd, testSlapd } from '../slapd.ts'

// A comparison with the directory that is killed half-way: the next process says so, and the next comparison does the rest.

const groups = 60

t.test('kill -9 during a comparison, and during its dry run', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t)
  const gate = await ldapGate(t, slapd.url, 'cn=group ')
  const searches = await ldapGate(t, gate.url, '', 'searches')
  const dataDir = await dataFolder(t)
  await copyTemplate(dataDir)
  const environment = {
    DATA_DIR: dataDir,
    ...directorySettings({ ...slapd, url: searches.url }),
    LDAP_TIMEOUT: '60s',
    SYNC_WAIT: '60s',
    DRIFT_INTERVAL: '1d',
  }
  let server = await startServer(t, environment)
  const token = await server.signIn()
  const directory = openDirectory({ ...slapd, startTls: false, ca: null, timeout: 5000, log: silent })
  t.teardown(() => directory.close())
  const nameOf = (n: number): string => `group ${n}`
  const dnOf = (n: number): string => `cn=${nameOf(n)},${slapd.baseDn}`
  for (let n = 0; n < groups; n++) {
    const body = { groupName: nameOf(n), groupType: 'cn', parentId: 0, remark: 'as it is' }
    t.match(await server.call('addGroup', { token, body }), { code: 0 })
  }
  const changed = async (): Promise<number> => {
    const all = await Promise.all(Array.from({ length: groups }, (_, n) => directory.read(dnOf(n), ['description'])))
    return all.filter((entry) => entry?.attributes.description?.[0] === 'Other').length
  }
  t.equal(await changed(), 0)
  // The comparison after the start is over: nothing else repairs what is changed now.
  const compare = (dryRun: boolean) => server.call('compareDirectory', { token, body: { kind: 'groups', dryRun } })
  t.match((await compare(false)).data, { state: 'done', total: groups })
  for (let n = 0; n < groups; n++) {
    const changes = [{ operation: 'replace' as const, attribute: 'description', values: ['Other'] }]
    await directory.write({ kind: 'modify', dn: dnOf(n), changes })
  }
  t.match((await compare(true)).data, { state: 'planned', total: groups, updated: groups, unchanged: 0 })
  t.equal(await changed(), groups, 'the dry run repaired nothing')

  // Its searches are held, so that it is killed while it compares.
  searches.letPass(2)
  const dry = compare(true).catch((error: unknown) => error)
  await eventually(() => searches.waiting() > 0, 'the dry run waits for the directory')
  t.match(await server.kill(), { signal: 'SIGKILL' })
  t.type(await dry, TypeError, 'the connection was lost')
  searches.letPass(Number.POSITIVE_INFINITY)
  t.equal(await changed(), groups, 'nothing was repaired')
  // The comparison after the next start repairs nothing either, until the gate is opened.
  gate.letPass(0)
  server = await startServer(t, environment)
  const brokenOff = async (dryRun: boolean): Promise<number> => {
    const { data } = await server.call('listRuns', { token, query: { source: 'sql', pageSize: 1 } })
    const [broken] = data.runs
    t.match(broken, { state: 'failed', dryRun, phase: '', finishedAt: String })
    const id = broken?.runId ?? 0
    const run = (await server.call('getRun', { token, params: { id } })).data
    t.match(run.problems, [{ stated: { code: 'sync.broken_off' } }])
    return id
  }
  const id = await brokenOff(true)
  const { data: plan } = await server.call('listRunChanges', { token, params: { id } })
  t.notOk(
    plan.changes.some(({ state }) => state === 'done'),
    'nothing of its plan was done',
  )
  t.match((await compare(true)).data, { state: 'planned', total: groups, updated: groups }, 'a new one works')
  t.equal(await changed(), groups, 'and writes nothing')

  gate.letPass(50)
  const lost = compare(false).catch((error: unknown) => error)
  await eventually(() => gate.waiting() > 0, 'the second part waits')
  t.match(await server.kill(), { signal: 'SIGKILL' })
  t.type(await lost, TypeError, 'the connection was lost')
  gate.letPass(Number.POSITIVE_INFINITY)
  server = await startServer(t, environment)
  await brokenOff(false)
  const { data: after } = await compare(false)
  t.match(after, { state: 'done', failed: 0 })
  t.equal(await changed(), 0, 'all entries are as their records say')
  t.same(errorsIn(server.output()), [])
})
