import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { firefoxMissing, startFirefox } from '../browser.ts'
import { eventually } from '../eventually.ts'
import { adminPassword, steward, type TestSteward } from '../steward.ts'
import { acting, addresses, exampleOf, openers, settled, tooWide } from './addresses.ts'
import { sees } from './service.ts'

const desk = { width: 1280, height: 900 }
const phone = { width: 390, height: 844 }

/** A page in a window of its own, and what it has complained of. */
const openIn = async (browser: Browser): Promise<{ page: Page; complaints: string[] }> => {
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => void complaints.push(String(error)))
  await page.evaluateOnNewDocument(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`${violatedDirective} refuses ${blockedURI}`),
    )
  })
  await page.setViewport(desk)
  return { page, complaints }
}

/** What the pages show: a run, a backup, a person, a device. */
const fill = async ({ take, person }: TestSteward): Promise<void> => {
  const body = { groupName: 'Kitchen', groupType: 'cn' as const, parentId: 0, remark: '' }
  const { id } = await take('addGroup', { body })
  await person('cook', { departmentId: [id], roleIds: [2] })
  await take('syncSqlGroups', { body: {} })
  await take('createBackup', { body: { type: 'manual' } })
  await take('registerDevice', { body: { name: 'Front door', type: 'sensor', location: 'Entrance' } })
}

/** Opens what the page opens: its first row, its own button. */
const walkOver = async (page: Page, path: string): Promise<void> => {
  const over = '[role=dialog], [role=menu]'
  for (const [what, opener] of openers) {
    const found = await page.$(opener)
    if (found === null || (what === 'button' && acting.has(path))) continue
    const { pathname } = new URL(page.url())
    await found.click()
    await page.waitForFunction(
      (shown, before) => document.querySelector(shown) !== null || location.pathname !== before,
      {},
      over,
      pathname,
    )
    // A row that leads to a page of its own: that is walked too.
    if ((await page.$(over)) === null) return
    await settled(page)
    await page.keyboard.press('Escape')
    await page.waitForFunction((shown) => document.querySelector(shown) === null, {}, over)
  }
}

const walk = async (t: Test, page: Page, complaints: string[], url: string): Promise<void> => {
  for (const { path } of await addresses()) {
    await page.goto(`${url}/console${exampleOf(path)}`)
    await page.waitForSelector('h1')
    await settled(page)
    await page.setViewport(phone)
    t.strictSame(await tooWide(page), [], `${path}: ${phone.width} px wide`)
    await page.setViewport(desk)
    await walkOver(page, path)
    t.strictSame(complaints.splice(0), [], `${path}: complaints`)
  }
}

t.test('the console in Firefox', { skip: firefoxMissing, timeout: 300_000 }, async (t) => {
  const service = await steward(t)
  await fill(service)
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 })
  const downloads = t.testdir()
  const { page, complaints } = await openIn(await startFirefox(t, downloads))
  await page.goto(`${url}/console`)
  // Not by role and name, as in Chromium: Firefox finds them one by one, which takes a second each.
  await page.locator('input[autocomplete=username]').fill('admin')
  await page.locator('input[type=password]').fill(adminPassword)
  await page.locator('button[type=submit]').click()
  await page.waitForSelector('#main h1')

  await t.test('every page, and what opens on it', (t) => walk(t, page, complaints, url))

  await t.test('by keyboard: a row, its record, and back', async (t) => {
    await page.goto(`${url}/console/people`)
    await page.waitForSelector('#main [role=row][data-index="1"]')
    await page.focus('#main [role=row][data-index="0"]')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=dialog] input')
    t.ok(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null))
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.activeElement?.matches('#main [role=row][data-index="1"]'))
  })

  await t.test('a time is typed and has room, a file is saved, a text is copied', async (t) => {
    await page.goto(`${url}/console/log?range=own`)
    await settled(page)
    await page.focus('input[type=datetime-local]')
    await page.keyboard.type('11272020')
    await page.keyboard.type('0930AM')
    await page.waitForFunction(() => location.search.includes('from=2020-11-27'))
    await page.locator('.page-head ::-p-text(Export)').click()
    await page.locator('[role=menuitem]').click()
    const saved = async (): Promise<string> => {
      const [name = ''] = (await readdir(downloads)).filter((each) => each.endsWith('.csv'))
      return name === '' ? '' : readFile(join(downloads, name), 'utf8')
    }
    t.ok(await eventually(async () => (await saved()).includes('admin'), 'the file'))
    await page.goto(`${url}/console/people?person=1&tab=directory`)
    await page.locator('[aria-label=Copy]').click()
    await sees(page, 'Copied')
  })
  t.strictSame(complaints, [])
})
