import { sql } from 'drizzle-orm'
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { en } from '../../src/console/locales/en.ts'
import { browserMissing } from '../browser.ts'
import { adminPassword } from '../steward.ts'
import { consoleService, sees, signInOn, type TestConsole } from './service.ts'

/** A name of this length that can be broken nowhere. */
const unbroken = (length: number): string => 'W'.repeat(length)

/** Everything that is called as it must not be: by the longest names without a space. @returns the department's id */
const fill = async ({ take, db, token, call }: TestConsole): Promise<number> => {
  const { id } = await take('addGroup', {
    body: { groupName: unbroken(128), groupType: 'cn', parentId: 0, remark: unbroken(128) },
  })
  const menu = { name: unbroken(50), title: unbroken(50), path: `/${unbroken(99)}`, component: unbroken(100) }
  await take('addMenu', { body: menu })
  await db.execute(sql`update sessions set stepped_up_at = now()`)
  const labels = { en: unbroken(50), 'zh-CN': unbroken(50) }
  await take('declareAttribute', { body: { kind: 'user', name: 'long', type: 'text', labels, own: 'edit' } })
  await take('registerDevice', { body: { name: unbroken(100), type: unbroken(50), location: unbroken(200) } })
  await take('callForHelp', { body: { type: 'fall', description: unbroken(300), location: unbroken(100) } })
  const { today } = (await call('listDietDays', { token, query: { days: 1 } })).data
  const ingredients = [{ name: unbroken(100), amount: '60g' }]
  await take('savePlan', { body: { date: today, meals: [{ time: '08:00', name: unbroken(100), ingredients }] } })
  return id
}

/** By how many pixels the page, or what is open above it, is wider than the window. */
const excess = (page: Page): Promise<number> =>
  page.evaluate(() =>
    Math.max(
      ...[document.documentElement, ...document.querySelectorAll('[role=dialog], [role=dialog] > *')].map(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      ),
    ),
  )

t.test('a name without a space makes no page wider than a phone', { skip: browserMissing }, async (t) => {
  const service = await consoleService(t)
  const department = await fill(service)
  const { page } = await service.open('/', { width: 360, height: 740, axe: false })
  await signInOn(page, 'admin', adminPassword)
  await sees(page, en.nav.home)
  for (const address of [
    `/people?department=${department}`,
    `/groups?group=${department}`,
    '/security/alerts?alert=1',
    '/security/devices?device=1',
    '/diet',
    '/me',
    '/me?tab=access',
  ]) {
    await page.goto('about:blank')
    await page.goto(`${service.url}/console${address}`)
    await page.waitForFunction(
      () => /W{50}/.test(document.body.innerText) && !document.querySelector('[aria-busy=true]'),
    )
    t.equal(await excess(page), 0, address)
  }
})
