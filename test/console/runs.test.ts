import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { generateOrganisation } from '../../scripts/fakes/organisation.ts'
import { browserMissing } from '../browser.ts'
import { eventually } from '../eventually.ts'
import { adminPassword } from '../steward.ts'
import { startCloud } from '../sync/clouds.ts'
import { consoleService, press, refusals, sees, signInOn, typeOver } from './service.ts'

const skip = browserMissing

const whole = generateOrganisation({ seed: 7, people: 40, departments: 6, depth: 3 })

/** The service with a fake DingTalk at ExtA. */
const sourceService = async (t: Test) => {
  const { cloud, env } = await startCloud(t, 'exta', whole)
  const service = await consoleService(t, { directory: 'none', env: { ...env, SYNC_MAX_REMOVALS: '2' } })
  const { take, ask, db, open } = service
  /** Adds every person, and then removes more of them than may leave by themselves: the run whose plan waits. */
  const holdPlan = async (): Promise<number> => {
    await take('syncExtADepts')
    await take('syncExtAUsers')
    const leaving = whole.people.filter(({ state }) => state === 'active').slice(0, 5)
    cloud.organisation = { ...whole, people: whole.people.filter((each) => !leaving.includes(each)) }
    return (await ask('syncExtAUsers')).data.runId
  }
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
  return { ...service, cloud, holdPlan, enabled, openAs }
}

t.test('a held plan is looked at, and confirmed by its hash', { skip }, async (t) => {
  const { db, take, holdPlan, enabled, openAs } = await sourceService(t)
  const runId = await holdPlan()
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

t.test('a source is tried before anything is imported', { skip }, async (t) => {
  const { enabled, openAs } = await sourceService(t)
  const page = await openAs('/sources')
  await sees(page, 'EXTB_APP_SECRET')
  await press(page, 'Dry run: ExtA, People')
  await sees(page, 'A dry run: these figures are what a run would do')
  t.equal(await enabled(), 0, 'nothing was imported')
})

t.test('an expression shows what it makes of real records before it is saved', { skip }, async (t) => {
  const { db, take, openAs } = await sourceService(t)
  const saved = async () => (await take('listFieldRelations')).find(({ flag }) => flag === 'exta_user')?.attributes
  const page = await openAs('/sources/exta')
  await sees(page, 'User name in records of the source')
  await typeOver(page, 'Display name', '"N" ?? nam(e)')
  await sees(page, 'expected one of lower, trim, pinyin, before, join at character 8')
  await typeOver(page, 'Display name', '"N" ?? name')
  await sees(page, '20 values are different')
  t.match(await saved(), { nickname: 'name' }, 'nothing is saved before Save is pressed')
  await db.execute(sql`update sessions set stepped_up_at = now()`)
  await press(page, 'Save')
  await sees(page, 'The field relation is saved')
  t.match(await saved(), { nickname: '"N" ?? name', username: 'userid' })
})

t.test('a wrong expression is found in the report, mended, and the people come', { skip }, async (t) => {
  const { db, take, enabled, openAs } = await sourceService(t)
  await take('syncExtADepts')
  await db.execute(sql`
    update field_relations set attributes = jsonb_set(attributes, '{username}', '"userID"') where flag = 'exta_user'`)
  const page = await openAs('/sources')
  await sees(page, 'EXTB_APP_SECRET')
  await press(page, 'Run: ExtA, People')
  await sees(page, /Failed records|Problems/)
  t.equal(await enabled(), 0)
  const { runs } = await take('listRuns', { query: { kind: 'users' } })
  await page.goto(`${new URL(page.url()).origin}/console/runs/${runs[0]?.runId}?tab=problems`)
  await sees(page, 'username')
  await page.locator('::-p-aria([name="Change the field relation"][role="link"])').click()
  await sees(page, 'User name in records of the source')
  await typeOver(page, 'User name', 'userid')
  await db.execute(sql`update sessions set stepped_up_at = now()`)
  await press(page, 'Save')
  await sees(page, 'The field relation is saved')
  await press(page, 'Sources', 'link')
  await sees(page, 'EXTB_APP_SECRET')
  await press(page, 'Run: ExtA, People')
  await eventually(async () => (await enabled()) > 30, 'the people')
})

t.test('a source whose permission was withdrawn says so, and what helps', { skip }, async (t) => {
  const { cloud, take, openAs, enabled } = await sourceService(t)
  await take('syncExtADepts')
  await take('syncExtAUsers')
  const before = await enabled()
  cloud.faults = [{ kind: 'error', code: 88, subCode: '60011', times: Number.POSITIVE_INFINITY }]
  const page = await openAs('/sources')
  await sees(page, 'EXTB_APP_SECRET')
  await press(page, 'Run: ExtA, People')
  await sees(page, 'Failed')
  t.equal(await enabled(), before, 'all people stay')
  await page.goto(`${new URL(page.url()).origin}/console/sources?diagnose=exta`)
  await sees(page, /60011/)
  cloud.faults = []
  await press(page, 'Test again')
  await sees(page, /DingTalk|departments/)
})
