import { sql } from 'drizzle-orm'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { generateOrganisation } from '../../scripts/fakes/organisation.ts'
import { calls, type OperationId } from '../../src/console/generated/calls.ts'
import { openDatabase } from '../../src/db/client.ts'
import { browserMissing, startBrowser } from '../browser.ts'
import { postgresMissing, silent, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { adminPassword } from '../steward.ts'
import { startCloud } from '../sync/clouds.ts'
import { consoleService, press, refusals, sees, signInOn, type TestConsole } from './service.ts'

const whole = generateOrganisation({ seed: 7, people: 40, departments: 6, depth: 3 })

const signedIn = async ({ open }: TestConsole, path: string): Promise<Page> => {
  const { page } = await open(path, { expected: [refusals] })
  await signInOn(page, 'admin', adminPassword)
  return page
}

/** Two instances with connections of their own to one PostgreSQL, and a fake DingTalk at ExtA. */
const twoInstances = async (t: Test) => {
  const { cloud, env } = await startCloud(t, 'exta', whole)
  const { url } = await testPostgres(t)
  const browser = await startBrowser(t)
  const shared = { ...env, JWT_SECRET: 'a secret that the two instances share', SYNC_MAX_REMOVALS: '2' }
  const start = async (): Promise<TestConsole> => {
    const database = await openDatabase({ url, dataDir: '', log: silent })
    t.teardown(() => database.close())
    return consoleService(t, { database, directory: 'none', env: shared, browser })
  }
  return { cloud, one: await start(), other: await start() }
}

t.test('two instances show the same', { skip: browserMissing || postgresMissing }, async (t) => {
  const { cloud, one, other } = await twoInstances(t)
  await one.take('syncExtADepts')

  await t.test('a run under way on one shows on the other, also after a reload', async (t) => {
    const here = await signedIn(one, '/sources')
    const there = await signedIn(other, '/sources')
    for (const page of [here, there]) await sees(page, 'EXTB_APP_SECRET')
    cloud.faults = [{ kind: 'slow', delay: 3000 }]
    await press(here, 'Run: ExtA, People')
    const progress = 'section[aria-label=ExtA] [role=status] [role=progressbar]'
    await there.waitForSelector(progress)
    t.ok(await there.$('button[aria-label="Run: ExtA, People"]:disabled'), 'a source has one run at a time')
    await there.reload()
    await there.waitForSelector(progress)
    await there.locator('section[aria-label=ExtA] [role=status] a').click()
    await there.waitForSelector('#main [role=status] [role=progressbar]')
    cloud.faults = []
    for (const page of [here, there]) await sees(page, /ExtA · People[\s\S]*Done[\s\S]*Compared/)
    for (const page of [here, there]) await page.close()
  })

  await t.test('what is urgent on one reaches an open page of the other, by its stream', async (t) => {
    const { page, requests } = await other.open('/me', { expected: [refusals] })
    await signInOn(page, 'admin', adminPassword)
    await page.waitForSelector('button[aria-label^="Urgent"], button[aria-label="Nothing is urgent"]')
    const askedFor = (id: OperationId): number =>
      requests.filter((address) => new URL(address).pathname === calls[id].url).length
    const asked = (): number => askedFor('listNotices')
    await eventually(() => askedFor('watchNotices') > 0, 'the stream is open')
    const before = asked()
    await one.take('callForHelp', { body: { type: 'Flood', description: 'in the cellar' } })
    await sees(page, 'Emergency: Flood')
    t.equal(asked(), before, 'it did not ask')
    await page.close()
  })

  await t.test('a plan that one holds is confirmed on the other, and both know', async (t) => {
    const leaving = whole.people.filter(({ state }) => state === 'active').slice(0, 5)
    cloud.organisation = { ...whole, people: whole.people.filter((each) => !leaving.includes(each)) }
    const there = await signedIn(other, '/runs')
    await sees(there, 'Done')
    const { runId } = (await one.ask('syncExtAUsers')).data
    const here = await signedIn(one, `/runs/${runId}`)
    await sees(here, 'This plan waits for your decision')
    await sees(there, /Held/)
    await there.goto(`${other.url}/console/runs/${runId}`)
    await press(there, 'Confirm the plan')
    await sees(there, '5 people are disabled: they can no longer sign in anywhere')
    await one.db.execute(sql`update sessions set stepped_up_at = now()`)
    await press(there, 'Apply 5 changes')
    await sees(there, 'The plan is applied')
    await sees(here, 'Decided by admin')
    t.match(await one.take('getRun', { params: { id: runId } }), { state: 'done', decidedBy: 'admin', disabled: 5 })
  })
})
