import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import type { components } from '../../src/generated/operations.types.ts'
import { axeFindings } from '../axe.ts'
import { browserMissing } from '../browser.ts'
import { eventually } from '../eventually.ts'
import { byName, consoleService, fill, press, refusals, sees, signInOn, type TestConsole } from './service.ts'

type Days = components['schemas']['DietDays']

const usersRole = 2

/** Opens a tab by its name, and looks whether it fits a phone and its readers. */
const openTab = async (t: Test, page: Page, name: string, shown: string | RegExp): Promise<void> => {
  await press(page, name, 'tab')
  await sees(page, shown)
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  t.equal(wider, 0, `${name} is as wide as the phone`)
  t.strictSame(await axeFindings(page), [], `${name}: axe`)
}

/** A food is found by a part of its name, and its figures follow what is typed. */
const findsFood = async (t: Test, page: Page, { take }: TestConsole): Promise<void> => {
  const { foods } = await take('searchFoods', { query: { q: 'tof', pageSize: 10 } })
  const tofu = foods.find(({ en }) => en === 'tofu')
  const { calories = 0 } = tofu?.per100g ?? {}
  t.ok(calories > 0, 'the table has it')
  await openTab(t, page, 'Plan', 'No allergies.')
  await press(page, 'Add a food to Breakfast')
  await page.waitForFunction(() => document.activeElement?.matches('[aria-label="Food 2 of Breakfast"]'))
  await page.keyboard.type('tof')
  const option = await page.waitForSelector(`[role=option]::-p-text(tofu)`)
  const offered = await page.$$eval('[role=option]', (all) => all.map((each) => (each as HTMLElement).innerText))
  t.same(
    offered.map((text) => text.split('\n')[0]),
    foods.map(({ en }) => en),
    'the foods that the service finds',
  )
  t.match(
    offered.find((text) => text.startsWith('tofu\n')),
    `${Math.round(calories)} kcal/100 g`,
  )
  await option?.click()
  const shows = async (grams: number): Promise<void> => {
    await sees(page, new RegExp(`\\b${143 + Math.round((calories * grams) / 100)} of 2000 kcal`))
  }
  await shows(100)
  await fill(page, 'Amount of tofu', '250g')
  await shows(250)
  await press(page, 'Save')
  await sees(page, 'Saved')
}

const dateBefore = (date: string, days: number): string =>
  new Date(Date.parse(date) - days * 86_400_000).toISOString().slice(0, 10)

/** Each bar of the charts is as high as the figure of the service, against the line of the goal. */
const chartsAre = async (
  t: Test,
  page: Page,
  { call }: TestConsole,
  { token, count }: { token: string; count: number },
): Promise<void> => {
  const report = (await call('getNutritionReport', { token })).data
  const { today } = (await call('listDietDays', { token, query: { days: 1 } })).data
  const dateOf = (index: number): string => dateBefore(today, 6 - index)
  const { target, days } = (await call('listDietDays', { token, query: { from: dateOf(0), days: 7 } })).data
  const planned = days.filter(({ meals }) => meals.length > 0)
  t.equal(planned.length, count)
  const charts = await page.$$eval('svg.diet-chart', (all) =>
    all.map((svg) => ({
      bars: [...svg.querySelectorAll('rect.value')].map((bar) => ({
        index: Math.round((Number(bar.getAttribute('x')) / 100) * 7 - 0.15),
        height: Number(bar.getAttribute('height')),
      })),
      goal: Math.min(...[...svg.querySelectorAll('line.goal')].map((line) => 100 - Number(line.getAttribute('y1')))),
    })),
  )
  const nutrients = ['protein', 'carbs', 'fat'] as const
  const wanted = [
    { goal: target.calories, of: (day: Days['days'][number]) => day.calories, ofToday: report.dailyCalories },
    ...nutrients.map((each) => ({
      goal: target[each].min,
      of: (day: Days['days'][number]) => day.nutrition[each],
      ofToday: report.nutrition[each],
    })),
  ]
  t.equal(charts.length, wanted.length)
  const rounded = (value: number): number => Math.round(value * 10) / 10
  for (const [at, { goal, of, ofToday }] of wanted.entries()) {
    const { bars = [], goal: line = 1 } = charts[at] ?? {}
    const shown = Object.fromEntries(
      bars.map(({ index, height }) => [dateOf(index), rounded((height / line) * goal)] as const),
    )
    t.same(shown, Object.fromEntries(planned.map((day) => [day.date, rounded(of(day))])), `chart ${at + 1}`)
    t.equal(shown[today], rounded(ofToday), 'today is as the report of the diet says')
  }
  const rows = await page.$$eval('.diet-table tbody tr', (all) => all.map((row) => row.innerText.split('\t')))
  t.same(
    rows.map(([, calories]) => calories),
    planned.toReversed().map(({ calories }) => String(Math.round(calories))),
    'the table has the same figures',
  )
}

/** The figures of the plan editor, of a meal that is marked, and of the report's charts are those of the service. */
const withFigures = async (t: Test, service: TestConsole): Promise<void> => {
  const { call, open, person } = service
  const { token, password } = await person('ben', { roleIds: [usersRole] })
  const { today } = (await call('listDietDays', { token, query: { days: 1 } })).data
  for (const [back, name, amount] of [
    [4, 'rice', '150g'],
    [2, 'rice', '310g'],
    [0, 'egg', '2 pieces'],
  ] as const) {
    const meals = [{ time: '08:00', name: 'Breakfast', ingredients: [{ name, amount }] }]
    const body = { date: dateBefore(today, back), meals, preferences: [], allergies: [] }
    t.equal((await call('savePlan', { token, body })).code, 200)
  }
  const { page } = await open('/diet', { width: 360, height: 740, expected: [refusals] })
  await signInOn(page, 'ben', password)
  await openTab(t, page, 'Today', '08:00')
  await press(page, 'Now')
  await page.waitForSelector('[aria-label="Status of Breakfast"] [aria-pressed=true]::-p-text(Now)')
  const { days } = (await call('listDietDays', { token, query: { days: 1 } })).data
  t.equal(days[0]?.meals[0]?.status, 'current', 'a meal is marked by one press')
  await findsFood(t, page, service)
  await openTab(t, page, 'Report', 'Day by day')
  await chartsAre(t, page, service, { token, count: 3 })
}

/** The index of a date's button in its week. */
const weekdayOf = (date: string): number => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7

/** So many kcal have the eggs of a day that is so many days ago: each day has another figure. */
const piecesOf = (back: number): number => 2 * (back + 1)
const kcalOf = (back: number): number => 71.5 * piecesOf(back)

/** Plans the six days before today, each by pressing: as on a day of its week, or anew in a week without a plan. */
const planOtherDays = async (
  t: Test,
  page: Page,
  { today, days, passMinute }: { today: string; days: () => Promise<Days['days']>; passMinute: () => void },
): Promise<void> => {
  for (let back = 1; back <= 6; back++) {
    // What a user plans takes more than the seconds that the browser needs: the service takes five changes a minute.
    passMinute()
    const weekday = weekdayOf(dateBefore(today, back))
    const isFirstOfWeek = weekday === 6
    if (isFirstOfWeek) {
      const shown = await page.$eval('.diet-week', (week) => (week as HTMLElement).innerText)
      await press(page, 'Week before')
      await page.waitForFunction(
        (before) => document.querySelector<HTMLElement>('.diet-week')?.innerText !== before,
        {},
        shown,
      )
    }
    await page.locator(`.diet-day:nth-child(${weekday + 1})`).click()
    await page.waitForSelector(`.diet-day:nth-child(${weekday + 1})[aria-pressed=true]`)
    await sees(page, 'Allergies: peanuts')
    if (isFirstOfWeek) {
      await press(page, 'Add a meal')
      await fill(page, 'Name of the meal', 'Breakfast')
      await fill(page, 'Food 1 of Breakfast', 'egg')
    } else {
      await sees(page, 'Begin as on')
      await page.locator('[aria-label="Begin as on"] button').click()
    }
    await fill(page, 'Amount of egg', `${piecesOf(back)} pieces`)
    await sees(page, `${kcalOf(back)} of 2000 kcal`)
    await press(page, 'Save')
    await sees(page, 'Saved')
    t.equal((await days()).length, back + 1)
  }
}

t.test(
  'a plan that another page has changed meanwhile is replaced only on demand',
  { skip: browserMissing },
  async (t) => {
    let ahead = 0
    const { call, open, person } = await consoleService(t, { directory: 'none', now: () => Date.now() + ahead })
    const { token, password } = await person('eve', { roleIds: [usersRole] })
    const { today } = (await call('listDietDays', { token, query: { days: 1 } })).data
    const save = (name: string) =>
      call('savePlan', {
        token,
        body: { date: today, meals: [{ time: '08:00', name, ingredients: [{ name: 'egg', amount: '1个' }] }] },
      })
    const saved = async () => {
      // The service takes ten reads a minute.
      ahead += 60_000
      const { data } = await call('getPlan', { token, params: { date: today } })
      return data.meals.map(({ name }) => name)
    }
    await save('Early')
    const { page } = await open('/diet?tab=plan', { width: 1280, height: 900, expected: [refusals] })
    await signInOn(page, 'eve', password)
    const amount = await byName(page, 'textbox', 'Amount of egg').waitHandle()
    t.equal(await amount.evaluate((input) => (input as HTMLInputElement).value), '1 piece', 'in the chosen language')
    await fill(page, 'Name of the meal', 'Mine')
    await save('Theirs')
    await press(page, 'Save')
    await sees(page, 'The plan of this day was changed on another page')
    await sees(page, '08:00 Theirs (Planned)')
    await press(page, 'Cancel')
    await sees(page, 'Another user changed this record in the meantime')
    t.same(await saved(), ['Theirs'])
    await press(page, 'Save')
    await sees(page, '08:00 Theirs (Planned)')
    await press(page, 'Save mine')
    await sees(page, 'Saved')
    t.same(await saved(), ['Mine'])
    await fill(page, 'Name of the meal', 'Mine again')
    await press(page, 'Save')
    await eventually(async () => (await saved())[0] === 'Mine again', 'what was saved here is not asked about')
  },
)

t.test(
  'a meal that another page has changed meanwhile is changed only on demand',
  { skip: browserMissing },
  async (t) => {
    let ahead = 0
    const { call, open, person } = await consoleService(t, { directory: 'none', now: () => Date.now() + ahead })
    const { token, password } = await person('fay', { roleIds: [usersRole] })
    const { today } = (await call('listDietDays', { token, query: { days: 1 } })).data
    const { recipes } = (await call('searchRecipes', { token, query: { pageSize: 1 } })).data
    const fromRecipe = recipes[0]?.id ?? 0
    const planned = await call('savePlan', {
      token,
      body: {
        date: today,
        meals: [
          { time: '08:00', name: 'Early', ingredients: [{ name: 'egg', amount: '1个' }] },
          { time: '12:00', recipeId: fromRecipe },
        ],
      },
    })
    const id = planned.data.meals[0]?.id ?? 0
    const saved = async () => {
      // The service takes ten reads a minute.
      ahead += 60_000
      return (await call('getPlan', { token, params: { date: today } })).data.meals
    }
    const { page } = await open('/diet', { width: 1280, height: 900, expected: [refusals] })
    await signInOn(page, 'fay', password)
    await press(page, 'Adjust Early')
    await fill(page, 'Amount of egg', '2 pieces')
    await call('updateMeal', { token, params: { id }, body: { ingredients: [{ name: 'milk', amount: '250ml' }] } })
    await press(page, 'Save')
    await sees(page, 'This meal was changed on another page')
    await sees(page, /milk 250/)
    t.match((await saved())[0]?.ingredients, [{ name: 'milk' }])
    await press(page, 'Save mine')
    await sees(page, 'Saved')
    t.match((await saved())[0]?.ingredients, [{ name: 'egg' }])

    await openTab(t, page, 'Plan', 'No allergies.')
    await fill(page, 'Amount of egg', '3 pieces')
    await press(page, 'Save')
    await eventually(async () => /3/.test((await saved())[0]?.ingredients[0]?.amount ?? ''), 'the plan is saved again')
    t.equal((await saved())[1]?.fromRecipe, fromRecipe, 'a meal of a recipe stays one')
  },
)

t.test(
  'a number that the service does not take is refused at its field, and not saved as another one',
  { skip: browserMissing },
  async (t) => {
    let ahead = 0
    const { call, open, person } = await consoleService(t, { directory: 'none', now: () => Date.now() + ahead })
    const { token, password } = await person('gil', { roleIds: [usersRole] })
    const { today } = (await call('listDietDays', { token, query: { days: 1 } })).data
    const { recipes } = (await call('searchRecipes', { token, query: { pageSize: 1 } })).data
    const saved = async () => {
      // The service takes ten reads a minute.
      ahead += 60_000
      return (await call('getPlan', { token, params: { date: today } })).data?.meals ?? []
    }
    const saveIsRefused = async (page: Page, field: string): Promise<void> => {
      // The service takes five writes a minute.
      ahead += 60_000
      await press(page, 'Save')
      await sees(page, '1 field needs your attention')
      t.equal(
        await page.$eval('[aria-invalid=true]', (input) => (input as HTMLInputElement).labels?.[0]?.innerText),
        field,
      )
      t.same(await saved(), [], `${field}: nothing is saved`)
    }
    const address = `/diet?tab=plan&recipe=${recipes[0]?.id}`
    const { page } = await open(address, { width: 1280, height: 900, expected: [refusals] })
    await signInOn(page, 'gil', password)
    for (const servings of ['30', '0,5', '']) {
      await fill(page, 'Servings', servings)
      await saveIsRefused(page, 'Servings')
    }
    await page.locator('[aria-label^="Remove "]').click()
    await press(page, 'Add a meal')
    await fill(page, 'Name of the meal', 'Lunch')
    await fill(page, 'Food 1 of Lunch', 'grandmother’s stew')
    await fill(page, 'Amount of grandmother’s stew', '300g')
    await fill(page, 'Calories (kcal)', '4x0')
    await saveIsRefused(page, 'Calories (kcal)')
    await fill(page, 'Calories (kcal)', '420')
    await press(page, 'Save')
    await sees(page, 'Saved')
    t.match(await saved(), [{ name: 'Lunch', calories: 420 }])
  },
)

t.test('a week with an allergy, on a phone', { skip: browserMissing }, async (t) => {
  let ahead = 0
  const service = await consoleService(t, { directory: 'none', now: () => Date.now() + ahead })
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

  const passMinute = (): void => {
    ahead += 60_000
  }
  const { today } = (await call('listDietDays', { token, query: { days: 1 } })).data
  await planOtherDays(t, page, { today, days, passMinute })
  const week = await days()
  t.same(
    week.map(({ date, calories }) => [date, calories]),
    Array.from({ length: 7 }, (_, index) => [dateBefore(today, 6 - index), kcalOf(6 - index)]),
    'all seven days are planned',
  )
  for (const { allergies } of week) t.same(allergies, ['peanuts'])
  passMinute()

  await openTab(t, page, 'Today', '08:00')
  await press(page, 'Eaten')
  await eventually(async () => (await days()).some(({ eaten }) => eaten.calories === 143), 'a meal that is eaten')
  await openTab(t, page, 'Recipes', 'without peanuts')

  await openTab(t, page, 'Report', 'Day by day')
  await chartsAre(t, page, service, { token, count: 7 })

  await withFigures(t, service)
})
