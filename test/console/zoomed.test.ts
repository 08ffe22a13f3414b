import type { Page } from 'puppeteer-core'
import t from 'tap'
import { browserMissing } from '../browser.ts'
import { sampleOf } from '../nightly.ts'
import { adminPassword } from '../steward.ts'
import { addresses, exampleOf, settled } from './addresses.ts'
import { consoleService, signInOn } from './service.ts'

/** Lists that show less of their rows than two lines below their head, with what they have. */
const squeezed = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.row-table')]
      .filter((list) => list.clientWidth > 0 && list.scrollHeight > list.clientHeight && list.clientHeight < 108)
      .map((list) => `${list.ariaLabel ?? list.className}: ${list.clientHeight} of ${list.scrollHeight} pixels`),
  )

/** Rows whose content is higher than they are, and so stands in the next one. */
const overfull = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.row-table .body [role=row][data-index]')]
      .filter((row) => [...row.children].some((cell) => cell.scrollHeight > row.clientHeight + 1))
      .map((row) => row.innerText.replaceAll('\n', ' ')),
  )

t.test('lists have room for their rows, however small the window is', { skip: browserMissing }, async (t) => {
  const { open, take, url } = await consoleService(t)
  for (const name of ['Kitchen', 'Hall', 'Garden', 'Cellar']) {
    await take('addGroup', { body: { groupName: name, groupType: 'cn', parentId: 0, remark: '' } })
  }
  await take('syncSqlGroups', { body: {} })
  const { page } = await open('/', { axe: false, expected: [/status of 401/] })
  await signInOn(page, 'admin', adminPassword)
  await page.waitForSelector('#main h1')
  const pages = (await addresses()).filter((each) => !each.open && !each.path.includes('backups/$'))
  const sample = sampleOf(
    t,
    'pages in a small window',
    pages.map(({ path }) => exampleOf(path)),
    5,
  )
  // 1280 × 1024 pixels at 400 per cent; a tablet, where a row has one line.
  for (const [width, height, faults] of [
    [320, 256, squeezed],
    [768, 1024, overfull],
  ] as const) {
    await page.setViewport({ width, height })
    for (const address of [...sample, '/roles/2?tab=operations', '/me?tab=sessions']) {
      await page.goto(`${url}/console${address}`)
      await page.waitForSelector('#main h1')
      await settled(page)
      t.strictSame(await faults(page), [], `${address} at ${width} × ${height}`)
    }
  }
})

/** What has the focus, where a bar of the page or of a dialog lies over its upper edge; undefined: nothing does. */
const obscured = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => {
    const focused = document.activeElement
    if (!(focused instanceof HTMLElement) || focused === document.body) return
    const { left, top, width } = focused.getBoundingClientRect()
    const above = document.elementFromPoint(left + width / 2, Math.max(0, top + 4))
    const bar = above?.closest('.frame-header, .mantine-Drawer-header, .diet-save')
    return bar && !bar.contains(focused) ? `${focused.outerHTML.slice(0, 80)} below ${bar.className}` : undefined
  })

t.test(
  'what has the focus is not below a bar, as above a keyboard on the screen',
  { skip: browserMissing },
  async (t) => {
    const { open, url } = await consoleService(t, { directory: 'none' })
    const { page } = await open('/', { axe: false, expected: [/status of 401/] })
    await signInOn(page, 'admin', adminPassword)
    await page.waitForSelector('#main h1')
    await page.setViewport({ width: 390, height: 420 })
    for (const address of ['/', '/me', '/people?person=1', '/roles?new=true']) {
      await page.goto(`${url}/console${address}`)
      await page.waitForSelector('#main h1')
      await settled(page)
      const found = new Set<string>()
      await page.keyboard.down('Shift')
      for (let times = 0; times < 50; times++) {
        await page.keyboard.press('Tab')
        found.add((await obscured(page)) ?? '')
      }
      await page.keyboard.up('Shift')
      t.same([...found].filter(Boolean), [], address)
    }
  },
)

t.test('the name of a meal has room for its words at 400 per cent', { skip: browserMissing }, async (t) => {
  const { open, call, take, token, url } = await consoleService(t, { directory: 'none' })
  const { today } = (await call('listDietDays', { token, query: { days: 1 } })).data
  const ingredients = [{ name: 'egg', amount: '60g' }]
  await take('savePlan', { body: { date: today, meals: [{ time: '08:00', name: 'Breakfast', ingredients }] } })
  const { page } = await open('/', { axe: false, expected: [/status of 401/] })
  await signInOn(page, 'admin', adminPassword)
  await page.waitForSelector('#main h1')
  await page.setViewport({ width: 320, height: 640 })
  await page.goto(`${url}/console/diet?tab=plan`)
  await page.waitForSelector('input[type=time]')
  const room = await page.$$eval('#main input[maxlength="100"]', (all) =>
    all.filter((each) => each.checkVisibility()).map((each) => each.clientWidth),
  )
  t.ok(room.length > 0 && room.every((width) => width >= 100), 'each field is as wide as a word', { room })
})
