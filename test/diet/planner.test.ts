import t from 'tap'
import { steward } from '../steward.ts'

const noon = Date.parse('2026-11-20T12:00:00Z')
const usersRole = 2

const service = await steward(t, { directory: 'none', now: () => noon })
const { call, person } = service
const planner = async (name: string) => {
  const { token } = await person(name, { roleIds: [usersRole] })
  return {
    token,
    save: (date: string, body: object = {}) =>
      call('savePlan', {
        token,
        body: {
          date,
          meals: [{ time: '08:00', name: 'Eggs', ingredients: [{ name: 'egg', amount: '2个' }] }],
          ...body,
        },
      }),
    days: async (query: Record<string, string | number> = {}) => (await call('listDietDays', { token, query })).data,
    preview: async (body: object) => (await call('previewDietDay', { token, body })).data,
    explain: async (word: string) => (await call('explainAllergy', { token, query: { word } })).data,
  }
}

t.test('days are those of the range, with their figures, and of the caller alone', async (t) => {
  const [ada, ben] = [await planner('ada'), await planner('ben')]
  await ada.save('2026-11-19')
  const { data: plan } = await ada.save('2026-11-20', { preferences: ['vegan'], allergies: ['fish'] })
  await ada.save('2026-11-27', { allergies: ['milk'] })
  await call('setMealStatus', { token: ada.token, params: { id: plan.meals[0]?.id ?? 0 }, body: { status: 'done' } })
  const { today, target, wishes, days } = await ada.days()
  t.equal(today, '2026-11-20')
  t.match(target, { calories: 2000, protein: { min: 50, max: 100 } })
  t.same(wishes, { preferences: [], allergies: ['milk'] }, 'of the plan saved last')
  t.match(days, [
    {
      date: '2026-11-20',
      calories: plan.totalCalories,
      nutrition: plan.nutrition,
      eaten: { calories: plan.totalCalories },
      meals: [{ name: 'Eggs', status: 'done', calories: plan.meals[0]?.calories }],
      preferences: ['vegan'],
      allergies: ['fish'],
      status: 'bad',
    },
  ])
  t.equal(days.length, 1)
  t.same(
    (await ada.days({ from: '2026-11-19', days: 9 })).days.map(({ date }) => date),
    ['2026-11-19', '2026-11-20', '2026-11-27'],
  )
  t.match(await ben.days({ from: '2026-11-19', days: 9 }), {
    days: { length: 0 },
    wishes: { preferences: { length: 0 }, allergies: { length: 0 } },
  })
  t.match(await call('listDietDays', { token: ada.token, query: { from: '2026-02-30' } }), { code: 400 })
  t.same((await ada.days({ from: '9999-12-31', days: 9 })).days, [])
})

t.test('a preview has the figures that the saved plan has, and saves nothing', async (t) => {
  const cleo = await planner('cleo')
  const ingredients = [
    { name: '鸡蛋', amount: '2个' },
    { name: 'milk', amount: '250ml' },
  ]
  const previewed = await cleo.preview({ meals: [{ ingredients }, { recipeId: 40, servings: 1.5 }] })
  t.same((await cleo.days()).days, [])
  const { data: saved } = await cleo.save('2026-11-20', {
    meals: [
      { time: '08:00', name: 'Breakfast', ingredients },
      { time: '12:00', recipeId: 40, servings: 1.5 },
    ],
  })
  t.equal(previewed.calories, saved.totalCalories)
  t.same(previewed.nutrition, saved.nutrition)
  t.same(
    previewed.meals.map(({ calories }) => calories),
    saved.meals.map(({ calories }) => calories),
  )
  t.ok(previewed.meals[0]?.ingredients.every(({ isKnown }) => isKnown))
})

t.test('what is still being typed is no problem; what is wrong is named as when saving', async (t) => {
  const dora = await planner('dora')
  const meals = [
    {
      ingredients: [
        { name: '', amount: '' },
        { name: 'egg', amount: '' },
        { name: 'egg', amount: 'many' },
      ],
    },
    { recipeId: 99_999 },
  ]
  const { problems, meals: figures } = await dora.preview({ meals })
  t.match(problems, [
    { field: 'meals.0.ingredients.2.amount', reason: 'diet.amount' },
    { field: 'meals.1.recipeId', reason: 'diet.recipe_not_found' },
  ])
  t.same(figures[0]?.unknownIngredients, ['egg'])
})

t.test('an allergen is refused in the preview as in the plan, with what it is', async (t) => {
  const emma = await planner('emma')
  const ingredients = [
    { name: 'egg', amount: '1个' },
    { name: '花生酱', amount: '20g' },
    { name: 'peanut mystery', amount: '20g' },
  ]
  const allergies = ['peanuts']
  const { refused } = await emma.preview({ meals: [{ ingredients }], allergies })
  t.match(refused, [
    { field: 'meals.0.ingredients.1.name', word: 'peanuts', allergen: 'peanuts', food: { zh: '花生酱' } },
    { field: 'meals.0.ingredients.2.name', word: 'peanuts', allergen: 'peanuts', food: undefined },
  ])
  const reply = await emma.save('2026-11-20', { meals: [{ time: '08:00', name: 'x', ingredients }], allergies })
  t.equal(reply.code, 400)
  t.match(
    reply.data,
    refused.map(({ field, proof }) => ({ field, params: { proof } })),
  )
})

t.test('an allergy is explained by the foods that it refuses', async (t) => {
  const finn = await planner('finn')
  const peanuts = await finn.explain('花生')
  t.match(peanuts, { isKnown: true, classes: ['peanuts'], total: peanuts.foods.length })
  t.ok(peanuts.foods.some(({ zh }) => zh === '花生酱'))
  t.ok(peanuts.foods.every(({ allergen }) => allergen === 'peanuts'))
  t.match(await finn.explain('strawberry'), { isKnown: true, classes: { length: 0 }, foods: [{ allergen: undefined }] })
  t.match(await finn.explain('pollen'), { isKnown: false, classes: { length: 0 }, total: 0 })
})
