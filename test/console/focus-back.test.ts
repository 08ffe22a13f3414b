import t from 'tap'
import { people } from '../../src/console/locales/en/people.ts'
import { en } from '../../src/console/locales/en.ts'
import { browserMissing } from '../browser.ts'
import { adminPassword } from '../steward.ts'
import { byName, consoleService, press, sees, signInOn } from './service.ts'

t.test('leaving leads back to where what is left was opened', { skip: browserMissing }, async (t) => {
  const { person, open } = await consoleService(t, { directory: 'none' })
  await person('some.one')
  const { page } = await open('/people', { expected: [/status of 401/], axe: false })
  await signInOn(page, 'admin', adminPassword)
  const row = '[role=row][data-index="1"]'
  await page.waitForSelector(row)
  await page.focus(row)
  await page.keyboard.press('Enter')
  await page.waitForSelector('[data-field=nickname] input')
  await page.focus('[data-field=nickname] input')
  await page.keyboard.type('changed')
  await page.keyboard.press('Escape')
  await sees(page, en.forms.unsaved)
  await press(page, en.forms.leave)
  await page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
  await page.waitForFunction((row) => document.activeElement?.matches(row), { timeout: 5000 }, row)
  t.pass('the row has the focus')

  await page.keyboard.press('Space')
  const disable = await byName(page, 'button', people.bulk.menu.disable).waitHandle()
  await disable.focus()
  await page.keyboard.press('Enter')
  await page.waitForSelector('[role=dialog] form button[type=submit]:not(:disabled)')
  await page.focus('[role=dialog] form button[type=submit]')
  await page.keyboard.press('Enter')
  await sees(page, people.bulk.report(1, 0))
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
  await page.waitForFunction(() => document.activeElement?.matches('#main button'), { timeout: 5000 })
  t.equal(await disable.evaluate((button) => button.isConnected), false, 'what opened the dialog is gone')
})
