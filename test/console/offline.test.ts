import t from 'tap'
import { en } from '../../src/console/locales/en.ts'
import { browserMissing } from '../browser.ts'
import { adminPassword } from '../steward.ts'
import { consoleService, press, sees, signInOn } from './service.ts'

t.test('what failed while the line was down comes when it is back', { skip: browserMissing }, async (t) => {
  const { open } = await consoleService(t, { directory: 'none' })
  const expected = [/status of 401/, /ERR_INTERNET_DISCONNECTED/]
  const { page } = await open('/groups', { expected, axe: false })
  await signInOn(page, 'admin', adminPassword)
  await page.waitForNetworkIdle()
  await page.setOfflineMode(true)
  // Its code is that of the page before.
  await press(page, en.nav.roles, 'link')
  await sees(page, en.states.failed)
  await page.setOfflineMode(false)
  await page.waitForSelector('[role=row][data-index="0"]', { timeout: 10_000 })
  t.pass('unasked')
})
