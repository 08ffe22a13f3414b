import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { people } from '../../src/console/locales/en/people.ts'
import { en } from '../../src/console/locales/en.ts'
import { browserMissing } from '../browser.ts'
import { adminPassword } from '../steward.ts'
import { failedCall, faults, type Injector, injectFaults } from './fault-injection.ts'
import { byName, consoleService, press, sees, signInOn, type TestConsole } from './service.ts'

interface Open extends TestConsole, Injector {
  page: Page
}

const away = faults.find(({ name }) => name === '500')
if (away === undefined) throw new Error('the fault is missing')

/** What has the focus, by what a screen reader calls it. */
const hasFocus = (page: Page, selector: string, text = ''): Promise<unknown> =>
  page.waitForFunction(
    (selector, text) => document.activeElement?.matches(selector) && document.activeElement.textContent?.includes(text),
    { timeout: 5000 },
    selector,
    text,
  )

const inDialogs = async (t: Test, { page, url, person }: Open): Promise<void> => {
  await person('is.deleted')
  await page.goto(`${url}/console/people?q=is.deleted`)
  await sees(page, people.total(1))
  await press(page, en.table.selectRow('is.deleted'), 'checkbox')
  await press(page, people.bulk.menu.disable)
  await sees(page, people.bulk.consequences.disable(1))
  await hasFocus(page, '[role=dialog] button', en.actions.cancel)
  t.pass('what changes nothing')
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
  await press(page, en.actions.more)
  await press(page, people.bulk.menu.delete, 'menuitem')
  await sees(page, people.bulk.consequences.delete(1))
  await hasFocus(page, '[role=dialog] input')
  t.pass('what is typed to confirm')
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
}

const afterTryAgain = async (t: Test, { page, url, failNext }: Open): Promise<void> => {
  await page.goto(`${url}/console/people`)
  await page.waitForSelector('[role=row][data-index="0"]')
  failNext('listPeople', away)
  await page.locator('.people-list input[type=search]').fill('admin')
  await sees(page, en.states.failed)
  const again = await byName(page, 'button', en.actions.retry).waitHandle()
  failNext('listPeople', away)
  await again.focus()
  await page.keyboard.press('Enter')
  await page.waitForFunction((button) => !button.isConnected, {}, again)
  await sees(page, en.states.failed)
  await hasFocus(page, 'button', en.actions.retry)
  t.pass('it can be tried once more')
  await page.keyboard.press('Enter')
  await page.waitForSelector('[role=row][data-index="0"]')
  await page.waitForFunction(() => document.activeElement !== document.body)
  t.notOk(
    await page.evaluate(() => document.activeElement?.matches('input[type=search], main')),
    'the keyboard goes on where the list is, not before it',
  )
}

t.test('the focus begins where the next thing is done', { skip: browserMissing }, async (t) => {
  const service = await consoleService(t, { directory: 'none' })
  const { page } = await service.open('/', { expected: [failedCall], axe: false })
  await signInOn(page, 'admin', adminPassword)
  await page.waitForSelector('#main h1')
  const opened: Open = { ...service, page, ...(await injectFaults(page)) }
  await t.test('in a dialog that asks', (t) => inDialogs(t, opened))
  await t.test('after a list was read again', (t) => afterTryAgain(t, opened))
})
