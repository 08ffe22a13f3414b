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

/** Of the text of the cell with this name, whether its first letter is in sight, and whether dots say that it goes on. */
const shownOf = (page: Page, title: string) =>
  page.evaluate((title) => {
    const cell = document.querySelector(`[title="${title}"]`)?.closest('[role=gridcell]')
    if (!cell) throw new Error(`no cell has ${title}`)
    const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode()
    if (text === null || text.parentElement === null) throw new Error('no text')
    const range = document.createRange()
    range.setStart(text, 0)
    range.setEnd(text, 1)
    const [first, all] = [range.getBoundingClientRect(), cell.getBoundingClientRect()]
    const { textOverflow, overflow, display } = getComputedStyle(text.parentElement)
    return {
      beginning: first.left >= all.left && first.right <= all.right,
      dots: display !== 'inline' && textOverflow === 'ellipsis' && overflow === 'hidden',
    }
  }, title)

t.test('a name that is cut shows how it begins, and that it goes on', { skip: browserMissing }, async (t) => {
  const { take, open } = await consoleService(t, { directory: 'none' })
  const { id } = await take('addGroup', { body: { groupName: 'Hall', groupType: 'cn', parentId: 0, remark: '' } })
  const names = ['محمد عبد الرحمن بن عبد العزيز آل سعود', 'Karl-Theodor Freiherr von Guttenberg-Hülsenbeck']
  for (const [at, nickname] of names.entries()) {
    const body = {
      username: `long.${at}`,
      nickname,
      mail: '',
      mobile: '',
      jobNumber: '',
      roleIds: [],
      departmentId: [id],
    }
    await take('addUser', { body: { ...body, password: 'a password of some length' } })
  }
  const { page } = await open('/', { axe: false, expected: [/status of 401/] })
  await signInOn(page, 'admin', adminPassword)
  await sees(page, en.nav.home)
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true })
  for (const address of ['/people', `/groups?group=${id}&tab=members`]) {
    await page.goto(new URL(`/console${address}`, page.url()).href)
    for (const name of names) {
      await page.waitForSelector(`[title="${name}"]`)
      t.same(await shownOf(page, name), { beginning: true, dots: true }, `${name} at ${address}`)
    }
  }
})
