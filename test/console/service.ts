import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'puppeteer-core'
import type { Test } from 'tap'
import { calls, type OperationId } from '../../src/console/generated/calls.ts'
import { en } from '../../src/console/locales/en.ts'
import { type OpenPage, openPage, type PageOptions, startBrowser } from '../browser.ts'
import { steward, type TestSteward, type TestStewardOptions } from '../steward.ts'

export interface TestConsole extends TestSteward {
  /** Of the service: `http://127.0.0.1:40001`. */
  url: string
  browser: Browser
  /** Opens an address of the console, such as `/people`, in a profile of its own. */
  open(path: string, options?: ConsolePageOptions): Promise<OpenPage>
  /** Adds a person with a role that grants these operations, and no more. */
  holderOf(username: string, operations: readonly OperationId[]): ReturnType<TestSteward['person']>
}

interface ConsolePageOptions extends Omit<PageOptions, 'url'> {
  /** The subtest that the page ends with, and that its complaints fail; the test of the service if absent. */
  test?: Test
}

interface TestConsoleOptions extends TestStewardOptions {
  /** A browser to share. */
  browser?: Browser
}

/** A service that listens, and one browser for all pages of the test file. */
export const consoleService = async (t: Test, options: TestConsoleOptions = {}): Promise<TestConsole> => {
  const service = await steward(t, options)
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 })
  const browser = options.browser ?? (await startBrowser(t))
  return {
    ...service,
    url,
    browser,
    open: (path, { test = t, ...page } = {}) =>
      openPage(test, browser, { url: `${url}/console${path}`, axe: true, ...page }),
    holderOf: async (username, operations) =>
      service.person(username, { roleIds: [await addRole(service, username, operations)] }),
  }
}

/** A role of this name that grants these operations. */
const addRole = async ({ take }: TestSteward, name: string, operations: readonly OperationId[]): Promise<number> => {
  const { apis } = await take('listApis')
  const wanted = new Set(operations.map((id) => `${calls[id].method} ${calls[id].url.slice('/api'.length)}`))
  const apiIds = apis.filter(({ method, path }) => wanted.has(`${method} ${path}`)).map(({ id }) => id)
  if (apiIds.length !== operations.length) throw new Error('an operation has no API entry')
  const { id } = await take('addRole', { body: { name, keyword: name, remark: '', sort: 5, status: 1 } })
  await take('updateRoleApis', { body: { roleId: id, apiIds } })
  return id
}

/** What a person sees and says: an element by its role and name. */
export const byName = (page: Page, role: string, name: string) =>
  page.locator(`::-p-aria([name="${name.replaceAll('"', '\\"')}"][role="${role}"])`)

/** A field to type into, which may offer a list to choose from, by its label. */
export const fieldOf = (page: Page, label: string) => {
  const name = label.replaceAll('"', '\\"')
  return page.locator(`::-p-aria([name="${name}"][role="textbox"]), ::-p-aria([name="${name}"][role="combobox"])`)
}

/** Types into the field with this label. */
export const fill = async (page: Page, label: string, text: string): Promise<void> => {
  await fieldOf(page, label).fill(text)
}

/** Types over what a field has, key by key, as a person does. */
export const typeOver = async (page: Page, label: string, text: string): Promise<void> => {
  await fieldOf(page, label).click()
  await page.keyboard.down('Control')
  await page.keyboard.press('a')
  await page.keyboard.up('Control')
  await page.keyboard.type(text)
}

export const press = async (page: Page, name: string, role = 'button'): Promise<void> => {
  await byName(page, role, name).click()
}

/** Waits until the page shows this text. */
export const sees = async (page: Page, text: string | RegExp): Promise<void> => {
  const source = typeof text === 'string' ? text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&') : text.source
  try {
    await page.waitForFunction(
      (pattern) => new RegExp(pattern).test(document.body.innerText),
      { timeout: 20_000, polling: 50 },
      source,
    )
  } catch (cause) {
    const shown = await page.evaluate(() => document.body.innerText)
    throw new Error(`the page does not say ${text}, but:\n${shown}`, { cause })
  }
}

/** Lets a page believe that it cannot be seen, as behind another tab: Chromium without windows hides no page. */
export const setHidden = (page: Page, hidden: boolean): Promise<void> =>
  page.evaluate((hidden) => {
    const value = hidden ? 'hidden' : 'visible'
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, hidden)

/** The browser's own line for a response that is a refusal. */
export const refusals = /Failed to load resource: the server responded with a status of 4(00|01|03|09|29)/

/** Signs in on the page that is open. */
export const signInOn = async (page: Page, username: string, password: string): Promise<void> => {
  await fill(page, en.signIn.username, username)
  await fill(page, en.signIn.password, password)
  await press(page, en.signIn.submit)
}

/** What an authenticator app with this key shows, so many periods from now. */
export const codeOf = (secret: string, periods = 0): string => {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return totp.generate({ timestamp: Date.now() + periods * 30_000 })
}

/** The key that the enrolment shows for typing, beside a code to scan that can be seen. */
export const shownSecret = async (page: Page): Promise<string> => {
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('img[alt*="QR"]')].some(({ naturalWidth }) => naturalWidth > 0),
  )
  await page.waitForFunction(() =>
    [...document.querySelectorAll('pre, code')].some((each) => /^[A-Z2-7]{16,}$/.test(each.textContent ?? '')),
  )
  return page.evaluate(
    () =>
      [...document.querySelectorAll('pre, code')]
        .map((each) => each.textContent ?? '')
        .find((text) => /^[A-Z2-7]{16,}$/.test(text)) ?? '',
  )
}
