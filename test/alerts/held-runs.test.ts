import { sql } from 'drizzle-orm'
import t from 'tap'
import { generateOrganisation } from '../../scripts/fakes/organisation.ts'
import { testDatabase } from '../database.ts'
import { startCloud } from '../sync/clouds.ts'
import { openAlertingService } from './alerting-service.ts'

const organisation = generateOrganisation({ seed: 12, people: 20, departments: 2, depth: 1 })
const { cloud, env } = await startCloud(t, 'exta', organisation)
const s = await openAlertingService(t, {
  database: await testDatabase(t),
  env: { ...env, SYNC_MAX_REMOVALS: '2' },
})
const { people } = cloud.organisation

/** A run of an organisation without its first people. */
const runWithout = (left: number) => {
  cloud.organisation = { ...cloud.organisation, people: people.slice(left) }
  return s.take('syncExtAUsers')
}
const held = async () => {
  const all = await s.alertsOf('A run is held')
  return all.filter(({ handled }) => !handled)
}

t.test('the alert of a held run is closed by the decision on its plan', async (t) => {
  await s.take('syncExtADepts')
  t.match(await runWithout(0), { state: 'done' })
  await s.db.execute(sql`update sessions set stepped_up_at = now()`)

  const discarded = await runWithout(5)
  t.match(discarded, { state: 'held' })
  const [first] = await held()
  t.match(first, { description: new RegExp(`^Run ${discarded.runId} `) })
  await s.take('discardRun', { params: { id: discarded.runId } })
  t.strictSame(await held(), [], 'discarded')
  const by = await s.db.execute(sql`select handled_by from alerts where id = ${first?.id}`)
  t.match(by, [{ handled_by: 'system' }])

  const replaced = await runWithout(6)
  const newest = await runWithout(5)
  t.match([replaced, newest], [{ state: 'held' }, { state: 'held' }])
  const [renewed, ...others] = await held()
  t.match(renewed, { description: new RegExp(`^Run ${newest.runId} `) }, 'one that is held in its turn renews it')
  t.strictSame(others, [])
  t.match(await runWithout(0), { state: 'done' })
  t.strictSame(await held(), [], 'replaced by a run that is not held')

  const confirmed = await runWithout(5)
  t.equal((await held()).length, 1)
  const params = { id: confirmed.runId }
  const { planHash } = await s.take('getRun', { params })
  t.match(await s.take('confirmRun', { params, body: { planHash } }), { state: 'done', disabled: 5 })
  t.strictSame(await held(), [], 'confirmed')
})

t.test('a run that fails before it has a plan leaves the held one, and its alert', async (t) => {
  t.match(await runWithout(12), { state: 'held' })
  const [before] = await held()
  await cloud.close()
  t.match(await s.call('syncExtAUsers', { token: s.token }), { data: { state: 'failed' } })
  t.match(await held(), [{ id: before?.id }])
})
