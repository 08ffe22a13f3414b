import type { HTTPRequest, Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { people } from '../../src/console/locales/en/people.ts'
import { en } from '../../src/console/locales/en.ts'
import { browserMissing } from '../browser.ts'
import { eventually } from '../eventually.ts'
import { adminPassword } from '../steward.ts'
import { byName, consoleService, press, sees, signInOn, type TestConsole, typeOver } from './service.ts'

interface Open extends TestConsole {
  page: Page
  /** Lets answers to these addresses wait from now on. @returns waits for one, and lets all come */
  hold(address: RegExp): { asked(): Promise<unknown>; letGo(): void }
}

/** The names of what is selected, as the checkboxes of the rows say it. */
const selectedNames = (page: Page): Promise<string[]> =>
  page.$$eval('[role=row][aria-selected=true]', (rows) => rows.map((row) => (row as HTMLElement).innerText))

const search = '.people-list input[type=search]'

const selectAll = async (t: Test, { page, url, hold }: Open): Promise<void> => {
  await page.goto(`${url}/console/people?q=leaves`)
  await sees(page, people.total(2))
  const answers = hold(/\/people\?.*q=stays/)
  await page.locator(search).fill('stays')
  await answers.asked()
  await sees(page, 'leaves.one')
  t.ok(
    await page.$$eval('[role=columnheader] input, [role=gridcell] input', (all) =>
      all.every((each) => (each as HTMLInputElement).disabled),
    ),
    'rows of the former filter cannot be selected',
  )
  await page.$eval('[role=row][data-index="0"]', (row) => (row as HTMLElement).focus())
  await page.keyboard.press('Space')
  t.same(await selectedNames(page), [], 'nor by keyboard')
  answers.letGo()
  await sees(page, people.total(1))
  await press(page, en.table.selectAll, 'checkbox')
  await sees(page, en.table.selected(1))
  t.match((await selectedNames(page)).join(), 'stays.here')
}

/** Typing pauses a moment before it is searched: who goes on by Tab within it means what was typed. */
const rightAfterTyping = async (t: Test, { page, url, hold }: Open): Promise<void> => {
  await page.goto(`${url}/console/people?q=leaves`)
  await sees(page, people.total(2))
  const answers = hold(/\/people\?.*q=stays/)
  const all = await byName(page, 'checkbox', en.table.selectAll).waitHandle()
  await page.locator(search).fill('stays')
  await all.focus()
  await page.keyboard.press('Space')
  await answers.asked()
  answers.letGo()
  await sees(page, people.total(1))
  t.same(await selectedNames(page), [], 'nothing of what was shown before')
  t.notMatch(await page.evaluate(() => document.body.innerText), en.table.selected(2))
}

/** What is marked among the rows of a search before is gone with them: Enter does not take what came in its place. */
const whatIsMarked = async (t: Test, { page, url, hold }: Open): Promise<void> => {
  const mark = async (): Promise<void> => {
    await page.keyboard.press('ArrowDown')
    await page.waitForSelector('[data-combobox-selected]')
  }
  /** In the list: the page behind it tells what was done to the same people. */
  const offers = (name: string) =>
    page.waitForFunction(
      (name: string) => [...document.querySelectorAll('[role=option]')].some((one) => one.textContent?.includes(name)),
      {},
      name,
    )
  await page.goto(`${url}/console/`)
  await press(page, en.quick.button)
  await page.waitForFunction(() => document.activeElement?.matches('[role=dialog] [role=combobox]'))
  await page.keyboard.type('leaves')
  await offers('leaves.one')
  const answers = hold(/\/people\?.*q=stays/)
  await typeOver(page, en.quick.label, 'stays')
  await answers.asked()
  await mark()
  answers.letGo()
  await offers('stays.here')
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)))
  await page.keyboard.press('Enter')
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
  t.ok(await page.$('[role=dialog] [role=combobox]'), 'nothing is opened that was not marked')
  await mark()
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => location.search.includes('person='))
}

t.test('rows of a former filter cannot be chosen', { skip: browserMissing }, async (t) => {
  const service = await consoleService(t, { directory: 'none' })
  for (const name of ['leaves.one', 'leaves.two', 'stays.here']) await service.person(name)
  const { page } = await service.open('/', { expected: [/status of 401/], axe: false })
  await signInOn(page, 'admin', adminPassword)
  await page.waitForSelector('#main h1')
  let held: { address: RegExp; waiting: HTTPRequest[] } | undefined
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    if (held?.address.test(request.url())) held.waiting.push(request)
    else void request.continue()
  })
  const hold = (address: RegExp) => {
    const own = { address, waiting: [] as HTTPRequest[] }
    held = own
    return {
      asked: () => eventually(() => own.waiting.length > 0, 'the list is asked for'),
      letGo: () => {
        held = undefined
        for (const request of own.waiting) void request.continue()
      },
    }
  }
  const opened: Open = { ...service, page, hold }
  await t.test('while the new one loads', (t) => selectAll(t, opened))
  await t.test('nor right after it was typed', (t) => rightAfterTyping(t, opened))
  await t.test('nor taken by Enter where they were marked', (t) => whatIsMarked(t, opened))
})
