import type { Page } from 'puppeteer-core'
import t from 'tap'
import { en } from '../../src/console/locales/en.ts'
import { axeFindings } from '../axe.ts'
import { browserMissing } from '../browser.ts'
import { adminPassword } from '../steward.ts'
import { consoleService, sees, signInOn } from './service.ts'

/** What a screen reader is told of the field that has the focus. */
const told = (page: Page) =>
  page.evaluate(() => {
    const field = document.activeElement
    const list = document.getElementById(field?.getAttribute('aria-controls') ?? '')
    return { role: field?.role, expanded: field?.ariaExpanded, list: list?.role }
  })

const open = { role: 'combobox', expanded: 'true', list: 'listbox' }

t.test('a list to choose from is told as one, and scrolls by keyboard', { skip: browserMissing }, async (t) => {
  const service = await consoleService(t)
  const { page } = await service.open('/apis', { axe: false, height: 480, expected: [/status of 401/] })
  await signInOn(page, 'admin', adminPassword)
  await page.waitForSelector('#main [role=row][data-index="0"]')
  const isLong = () =>
    page.waitForFunction(() =>
      [...document.querySelectorAll('[role=listbox]')].some((list) => list.scrollHeight > list.clientHeight),
    )
  for (const select of (await page.$$('#main input[role=combobox]')).slice(1, 2)) await select.click()
  await isLong()
  t.strictSame(await told(page), open, 'a choice')
  t.strictSame(await axeFindings(page), [], 'a choice')
  await page.keyboard.press('Escape')

  await page.keyboard.down('Control')
  await page.keyboard.press('k')
  await page.keyboard.up('Control')
  await sees(page, en.quick.title)
  await isLong()
  t.strictSame(await told(page), open, 'the search from anywhere')
  t.strictSame(await axeFindings(page), [], 'the search from anywhere')

  await page.goto(`${service.url}/console/people?hire=true`)
  await page.locator('[role=dialog] input[role=combobox]').click()
  await page.waitForSelector('[role=option]')
  t.strictSame(await told(page), open, 'a search for records')
})
