import { sql } from 'drizzle-orm'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { generateOrganisation } from '../../scripts/fakes/organisation.ts'
import { calls } from '../../src/console/generated/calls.ts'
import { openDatabase } from '../../src/db/client.ts'
import { browserMissing, openPage, startBrowser } from '../browser.ts'
import { postgresMissing, silent, testPostgres } from '../database.ts'
import { dataFolder, errorsIn, startServer } from '../server-process.ts'
import { directorySettings, skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { adminPassword } from '../steward.ts'
import { startCloud } from '../sync/clouds.ts'
import { press, refusals, sees, signInOn } from './service.ts'

const organisation = generateOrganisation({ seed: 7, people: 40, departments: 6, depth: 3 })

/** Two processes on one PostgreSQL and one slapd, a browser at each, and a cloud that both import from. */
const openTwo = async (t: Test) => {
  const [postgres, slapd, { cloud, env }] = await Promise.all([
    testPostgres(t),
    testSlapd(t),
    startCloud(t, 'exta', organisation),
  ])
  const environment = {
    ...env,
    ...directorySettings(slapd),
    DATA_DIR: await dataFolder(t),
    DATABASE_URL: postgres.url,
    SYNC_MAX_REMOVALS: '2',
  }
  const first = await startServer(t, environment)
  const second = await startServer(t, environment)
  const database = await openDatabase({ url: postgres.url, dataDir: '', log: silent, upToDate: true })
  t.teardown(() => database.close())
  const open = async (url: string, path: string) => {
    const browser = await startBrowser(t)
    const { page, requests } = await openPage(t, browser, {
      url: `${url}/console${path}`,
      expected: [refusals],
      axe: true,
    })
    await signInOn(page, 'admin', adminPassword)
    return { page, requests }
  }
  const there = await open(second.url, '/sources')
  const pages = [(await open(first.url, '/sources')).page, there.page] as const
  for (const page of pages) await sees(page, 'EXTB_APP_SECRET')
  /** How often the second browser has asked for what is urgent. */
  const asked = (): number =>
    there.requests.filter((address) => new URL(address).pathname === calls.listNotices.url).length
  return { db: database.db, cloud, first, second, pages, asked }
}

const progress = 'section[aria-label=ExtA] [role=status] [role=progressbar]'

t.test(
  'a run and what is urgent are the same in the browsers of two instances',
  { skip: browserMissing || postgresMissing || skipWithoutSlapd },
  async (t) => {
    const { db, cloud, first, second, pages, asked } = await openTwo(t)
    const [onFirst, onSecond] = pages
    const token = await first.signIn()
    const enabled = async (): Promise<number> => {
      const [row] = await db.execute<{ count: number }>(
        sql`select count(*)::int as count from users where source = 'exta' and status = 1`,
      )
      return row?.count ?? 0
    }
    t.equal((await first.call('syncExtADepts', { token })).code, 0)

    await t.test('a run that one carries out moves and ends on the other, also after a reload', async (t) => {
      cloud.faults = [{ kind: 'slow', delay: 3000 }]
      await press(onFirst, 'Run: ExtA, People')
      for (const page of pages) await page.waitForSelector(progress)
      t.ok(await onSecond.$('button[aria-label="Run: ExtA, People"]:disabled'), 'a source has one run at a time')
      for (const page of pages) {
        await page.reload()
        await page.waitForSelector(progress)
      }
      await onSecond.locator('section[aria-label=ExtA] [role=status] a').click()
      await onSecond.waitForSelector('#main [role=status] [role=progressbar]')
      cloud.faults = []
      await sees(onFirst, /People\s+Done/)
      await sees(onSecond, /ExtA · People[\s\S]*Done[\s\S]*Compared/)
      t.ok((await enabled()) > 30)
    })

    await t.test('an alert of one is on the open console of the other', async (t) => {
      const before = asked()
      const body = { type: 'fire', description: 'in the server room' }
      t.equal((await first.call('callForHelp', { token, body })).code, 200)
      for (const page of pages) await seesSoon(page, 'Emergency: fire')
      t.equal(asked(), before, 'it came by the stream')
    })

    await t.test('a run that one holds is confirmed on the other, and ends on both', async (t) => {
      const before = await enabled()
      const leaving = organisation.people.filter(({ state }) => state === 'active').slice(0, 5)
      cloud.organisation = {
        ...organisation,
        people: organisation.people.filter((person) => !leaving.includes(person)),
      }
      const held = (await first.call('syncExtAUsers', { token })).data.runId
      for (const page of pages) await seesSoon(page, 'ExtA · People is held')
      t.equal(await enabled(), before, 'nothing is done before it is confirmed')
      for (const [page, { url }] of [
        [onFirst, first],
        [onSecond, second],
      ] as const) {
        await page.goto(`${url}/console/runs/${held}`)
        await sees(page, 'This plan waits for your decision')
      }
      await db.execute(sql`update sessions set stepped_up_at = now()`)
      await press(onSecond, 'Confirm the plan')
      await press(onSecond, 'Apply 5 changes')
      await sees(onSecond, 'The plan is applied')
      // Nothing is pressed here.
      for (const page of pages) await sees(page, 'Decided by admin')
      t.notMatch(await textOf(onFirst), /This plan waits for your decision/)
      t.equal(await enabled(), before - 5)
      for (const page of pages) {
        await page.locator('button[aria-label^="Urgent: "]').click()
        await page.waitForSelector('[role=menuitem]::-p-text(Emergency: fire)')
        t.notOk(await page.$('[role=menuitem]::-p-text(ExtA · People is held)'), 'it is not urgent any more')
      }
    })
    for (const { output } of [first, second]) t.strictSame(errorsIn(output()), [])
  },
)

const textOf = (page: Page): Promise<string> => page.evaluate(() => document.body.innerText)

/** Within the two seconds in which an open console says what is urgent. */
const seesSoon = async (page: Page, text: string): Promise<void> => {
  await page.waitForFunction((text) => document.body.innerText.includes(text), { timeout: 2000, polling: 50 }, text)
}
