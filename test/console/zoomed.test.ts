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
