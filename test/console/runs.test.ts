import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { generateOrganisation } from '../../scripts/fakes/organisation.ts'
import { browserMissing } from '../browser.ts'
import { adminPassword } from '../steward.ts'
import { startCloud } from '../sync/clouds.ts'
import { consoleService, press, refusals, sees, signInOn } from './service.ts'

const skip = browserMissing

const whole = generateOrganisation({ seed: 7, people: 40, departments: 6, depth: 3 })

/** The service with a fake DingTalk at ExtA, and a plan that waits: more people left than may leave by themselves. */
const heldRun = async (t: Test) => {
  const { cloud, env } = await startCloud(t, 'exta', whole)
  const service = await consoleService(t, { directory: 'none', env: { ...env, SYNC_MAX_REMOVALS: '2' } })
  const { take, db, open } = service
  await take('syncExtADepts')
  await take('syncExtAUsers')
  const leaving = whole.people.filter(({ state }) => state === 'active').slice(0, 5)
  cloud.organisation = { ...whole, people: whole.people.filter((each) => !leaving.includes(each)) }
  const { runId } = (await service.ask('syncExtAUsers')).data
  const enabled = async (): Promise<number> => {
    const [row] = await db.execute<{ count: number }>(
      sql`select count(*)::int as count from users where source = 'exta' and status = 1`,
    )
    return row?.count ?? 0
  }
  const openAs = async (path: string) => {
    const { page } = await open(path, { expected: [refusals] })
    await signInOn(page, 'admin', adminPassword)
    return page
  }
  return { ...service, cloud, runId, enabled, openAs }
}

t.test('a held plan is looked at, and confirmed by its hash', { skip }, async (t) => {
  const { db, take, runId, enabled, openAs } = await heldRun(t)
  const before = await enabled()
  const page = await openAs('/runs?state=held')
  await sees(page, 'Held')
  await page.locator('[role=row][data-index="0"]').click()
  await sees(page, 'This plan waits for your decision')
  await sees(page, /It would disable 5 of \d+ people: the limit is \d+/)
  await sees(page, /Status: Enabled → Disabled/)
  await press(page, 'Confirm the plan')
  await sees(page, '5 people are disabled: they can no longer sign in anywhere')
  t.equal(await enabled(), before, 'nothing is done before it is confirmed')
  await db.execute(sql`update sessions set stepped_up_at = now()`)
  await press(page, 'Apply 5 changes')
  await sees(page, 'The plan is applied')
  t.equal(await enabled(), before - 5)
  t.match(await take('getRun', { params: { id: runId } }), { state: 'done', decidedBy: 'admin', disabled: 5 })
  await sees(page, 'Decided by admin')
})
