import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import type { OperationId } from '../../src/console/generated/calls.ts'
import { en } from '../../src/console/locales/en.ts'
import { browserMissing } from '../browser.ts'
import { adminPassword } from '../steward.ts'
import { failedCall, faults, type Injector, injectFaults } from './fault-injection.ts'
import { consoleService, press, sees, signInOn, type TestConsole } from './service.ts'

interface Open extends TestConsole, Injector {
  page: Page
  go(path: string): Promise<void>
}

const limited = faults.find(({ name }) => name === '429')
if (limited === undefined) throw new Error('the fault is missing')

/** Until nothing says that it is on its way. */
const atRest = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    () =>
      document.querySelector('#main h1') !== null &&
      document.querySelector('.mantine-Loader-root, .mantine-Skeleton-root, [aria-busy=true]') === null,
    { polling: 100, timeout: 20_000 },
  )

const textOf = (page: Page): Promise<string> => page.evaluate(() => document.body.innerText)

/** What a page reads beside its list, and what it would show for it where nothing was said of the failure. */
const beside: readonly (readonly [address: string, operation: OperationId, not?: RegExp])[] = [
  ['/', 'listFirstSteps'],
  ['/backups/1/restore', 'getBackupContents', /cannot be restored/],
  ['/diet?tab=recipes', 'searchRecipes'],
  ['/diet?tab=recipes&all=true', 'previewDietDay'],
  ['/diet?tab=recipes&recipe=1', 'previewDietDay'],
  ['/directory', 'listRuns'],
]

const readAgain = async (t: Test, { page, go, failNext }: Open): Promise<void> => {
  for (const [address, operation, not] of beside) {
    const name = `${operation} of ${address}`
    // What the page before still asks for would be what fails.
    await page.goto('about:blank')
    const failed = failNext(operation, limited)
    await go(address)
    await sees(page, limited.says)
    await atRest(page)
    t.ok(failed.came, `${name} failed`)
    if (not !== undefined) t.notMatch(await textOf(page), not, name)
    const before = page.url()
    await press(page, en.actions.retry)
    await page.waitForFunction((text) => !document.body.innerText.includes(text), {}, en.states.failed)
    await atRest(page)
    t.equal(page.url(), before, `${name}: the page is the same`)
  }
}

const recordOfUnreadList = async (t: Test, { page, go, failNext }: Open): Promise<void> => {
  for (const [address, operation] of [
    ['/backups?backup=1', 'listBackupFiles'],
    ['/security/alerts?alert=1', 'searchAlerts'],
    ['/security/devices?device=1', 'listDevicesInFull'],
  ] as const) {
    const failed = failNext(operation, limited)
    await go(address)
    await page.waitForSelector('[role=dialog]')
    await atRest(page)
    t.ok(failed.came, `${operation} failed`)
    t.ok(await page.$('[role=dialog] dl, [role=dialog] form'), `${address} shows the record`)
  }
}

const neverAnswered = async (t: Test, { page, go, meanwhile }: Open): Promise<void> => {
  // Two minutes pass in two seconds.
  const { identifier } = await page.evaluateOnNewDocument(() => {
    const wait = window.setTimeout
    Object.assign(window, {
      setTimeout: (then: () => void, time = 0) => wait(then, time > 10_000 ? time / 60 : time),
    })
  })
  const stalled = meanwhile('getScore', () => new Promise(() => {}))
  await go('/security')
  await sees(page, en.failures.unreachable)
  t.ok(stalled.came)
  await atRest(page)
  await press(page, en.actions.retry)
  await sees(page, 'of 100 points')
  await page.removeScriptToEvaluateOnNewDocument(identifier)
}

const waitsOnce = async (t: Test, { page, go, failNext }: Open): Promise<void> => {
  await go('/diet?tab=plan')
  await press(page, 'Add a meal')
  failNext('savePlan', limited)
  await press(page, en.actions.save)
  await sees(page, limited.says)
  t.equal((await textOf(page)).split('Wait 7 seconds').length, 2, 'how long to wait is said once')
}

t.test('what could not be read is said, and read again', { skip: browserMissing }, async (t) => {
  const service = await consoleService(t)
  const { take, open, url, token, call } = service
  await take('createBackup', { body: { type: 'manual' } })
  await take('registerDevice', { body: { name: 'Front door', type: 'door', location: '' } })
  await take('callForHelp', { body: { type: 'fall', description: 'Help', location: '' } })
  const { today } = (await call('listDietDays', { token, query: { days: 1 } })).data
  await take('savePlan', { body: { date: today, meals: [], preferences: [], allergies: ['peanut'] } })
  const { page } = await open('/', { expected: [failedCall] })
  await signInOn(page, 'admin', adminPassword)
  await sees(page, en.nav.home)
  const injector = await injectFaults(page)
  const go = async (path: string): Promise<void> => {
    await page.goto('about:blank')
    await page.goto(`${url}/console${path}`)
  }
  const opened: Open = { ...service, ...injector, page, go }
  await t.test('beside the list of a page', (t) => readAgain(t, opened))
  await t.test('a record that a link names, beside its list', (t) => recordOfUnreadList(t, opened))
  await t.test('a call that is never answered ends with a failure that can be tried again', (t) =>
    neverAnswered(t, opened),
  )
  await t.test('a plan that cannot be saved for now', (t) => waitsOnce(t, opened))
})
