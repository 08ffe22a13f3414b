import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { axeFindings } from '../axe.ts'
import { browserMissing } from '../browser.ts'
import { eventually } from '../eventually.ts'
import { byName, consoleService, fill, press, refusals, sees, signInOn } from './service.ts'

const usersRole = 2

/** Opens a tab by its name, and looks whether it fits a phone and its readers. */
const openTab = async (t: Test, page: Page, name: string, shown: string | RegExp): Promise<void> => {
  await press(page, name, 'tab')
  await sees(page, shown)
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  t.equal(wider, 0, `${name} is as wide as the phone`)
  t.strictSame(await axeFindings(page), [], `${name}: axe`)
}

t.test('a week with an allergy, on a phone', { skip: browserMissing }, async (t) => {
  const service = await consoleService(t, { directory: 'none' })
  const { call, open, person } = service
  const { token, password } = await person('ada', { roleIds: [usersRole] })
  const from = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10)
  const days = async () => {
    const reply = await call('listDietDays', { token, query: { from, days: 15 } })
    return reply.code === 200 ? reply.data.days : []
  }
  const { page } = await open('/diet', { width: 360, height: 740, expected: [refusals] })
  await signInOn(page, 'ada', password)
  await sees(page, 'Nothing is planned for today')

  await openTab(t, page, 'Wishes', 'Today and the planned days')
  await byName(page, 'combobox', 'Allergies').fill('peanuts')
  await page.keyboard.press('Enter')
  await sees(page, /Refuses \d+ foods/)
  await press(page, 'Save for 1 day')
  await sees(page, 'Saved')

  await openTab(t, page, 'Plan', 'Allergies: peanuts')
  await press(page, 'Add a meal')
  await fill(page, 'Name of the meal', 'Breakfast')
  await fill(page, 'Food 1 of Breakfast', 'peanut butter')
  await sees(page, /peanut butter contains peanuts .*Annex II.* “peanuts” is among your allergies/)
  await fill(page, 'Amount of peanut butter', '20g')
  await press(page, 'Save')
  await sees(page, '1 field needs your attention')
  t.equal(
    await page.$eval('[aria-label="Food 1 of Breakfast"]', (input) => (input as HTMLInputElement).value),
    'peanut butter',
  )
  await fill(page, 'Food 1 of Breakfast', 'egg')
  await fill(page, 'Amount of egg', '2 pieces')
  await sees(page, '143 kcal')
  await press(page, 'Save')
  await eventually(async () => (await days())[0]?.meals.length === 1, 'the plan of today')

  await page.locator('.diet-day[aria-pressed=false]').click()
  await sees(page, 'Begin as on')
  await page.locator('[aria-label="Begin as on"] button').click()
  await sees(page, '143 of 2,000 kcal')
  await press(page, 'Save')
  await eventually(async () => (await days()).length === 2, 'the plan of another day')
  for (const { calories, allergies } of await days()) {
    t.equal(calories, 143)
    t.same(allergies, ['peanuts'])
  }

  await openTab(t, page, 'Today', '08:00')
  await press(page, 'Eaten')
  await eventually(async () => (await days()).some(({ eaten }) => eaten.calories === 143), 'a meal that is eaten')
  await openTab(t, page, 'Recipes', 'without peanuts')
  await openTab(t, page, 'Report', 'Day by day')
})
