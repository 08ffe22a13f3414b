import t from 'tap'
import { permissions } from '../../src/console/locales/en/permissions.ts'
import { en } from '../../src/console/locales/en.ts'
import { browserMissing } from '../browser.ts'
import { adminPassword } from '../steward.ts'
import { settled } from './addresses.ts'
import { sidesWithoutRing } from './focus-ring.ts'
import { consoleService, sees, signInOn } from './service.ts'

t.test('what has the focus in a list has a ring around it that is seen', { skip: browserMissing }, async (t) => {
  const { person, take, open, url } = await consoleService(t, { directory: 'none' })
  for (const name of ['one', 'two', 'three']) await person(name)
  await take('createBackup', { body: { type: 'manual' } })
  const { page } = await open('/people', { expected: [/status of 401/], axe: false })
  await signInOn(page, 'admin', adminPassword)
  await page.waitForSelector('[role=row][data-index="2"]')
  await settled(page)
  /** By the keyboard: a click shows no ring. */
  const tabTo = async (selector: string): Promise<void> => {
    await page.evaluate(() => document.getElementById('main')?.focus())
    const isThere = () => page.evaluate((each) => document.activeElement?.matches(each) === true, selector)
    for (let presses = 0; !(await isThere()); presses++) {
      if (presses === 60) throw new Error(`Tab does not lead to ${selector}`)
      await page.keyboard.press('Tab')
    }
  }
  await tabTo('.sort-button')
  t.strictSame(await sidesWithoutRing(page), [], 'the title of a column')
  await tabTo('[role=row]')
  t.strictSame(await sidesWithoutRing(page), [], 'the first row, below the head')
  await page.keyboard.press('ArrowDown')
  t.strictSame(await sidesWithoutRing(page), [], 'a row between others')
  await page.keyboard.press('End')
  await page.waitForFunction(() => document.activeElement?.nextElementSibling === null)
  t.strictSame(await sidesWithoutRing(page), [], 'the last row')
  await page.goto(`${url}/console/`)
  await sees(page, en.nav.home)
  await page.waitForSelector('[role=row] a')
  await settled(page)
  await tabTo('[role=row] a')
  t.strictSame(await sidesWithoutRing(page), [], 'a link in a row')
})

t.test('Enter follows the link of a row that is not opened itself', { skip: browserMissing }, async (t) => {
  const { take, person, open } = await consoleService(t, { directory: 'none' })
  const { id: group } = await take('addGroup', {
    body: { groupName: 'Hall', groupType: 'cn', parentId: 0, remark: '' },
  })
  const { id } = await person('is.member', { departmentId: [group] })
  const { page } = await open(`/groups?group=${group}&tab=members`, { expected: [/status of 401/], axe: false })
  await signInOn(page, 'admin', adminPassword)
  await sees(page, permissions.groups.members)
  const row = '[role=dialog] [role=row][data-index="0"]'
  await page.waitForSelector(row)
  await page.focus(row)
  await page.keyboard.press('Enter')
  await page.waitForFunction((id) => location.search.includes(`person=${id}`), { timeout: 5000 }, id)
  t.match(page.url(), `/people?person=${id}`)
})
