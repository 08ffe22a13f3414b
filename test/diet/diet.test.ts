import { sql } from 'drizzle-orm'
import t from 'tap'
import { allergenClasses } from '../../src/diet/allergens.ts'
import { dishes, findDish } from '../../src/diet/dishes.ts'
import { foods } from '../../src/diet/foods/foods.ts'
import { dietDocument } from '../../src/generated/diet.ts'
import type { Operations } from '../../src/generated/documents.ts'
import { type CallInput, dataOf, type Reply } from '../contract/call.ts'
import { unknownId } from '../contract/inputs.ts'
import { steward } from '../steward.ts'

type Id = keyof Operations

/** Noon in Berlin. */
const noon = Date.parse('2026-06-10T10:00:00Z')
const date = '2026-06-10'
let instant = noon
const s = await steward(t, { directory: 'none', now: () => instant, env: { TIME_ZONE: 'Europe/Berlin' } })
const [role] = await s.db.execute<{ id: string }>(sql`select id from roles where keyword = 'user'`)

/** A person who plans meals, with only the role of users. */
const diner = async (username: string) => {
  const { id, token } = await s.person(username, { roleIds: [Number(role?.id)] })
  /** What a minute allows is not what is tested here: between two requests one goes by. */
  const call = <I extends Id>(operation: I, input: CallInput = {}) => {
    instant += 61_000
    return s.call(operation, { token, ...input })
  }
  /** Successfully. */
  const take = async <I extends Id>(operation: I, input: CallInput = {}) => dataOf(await call(operation, input))
  return {
    id,
    call,
    take,
    plan: (meals: object[], more: object = {}) => take('savePlan', { body: { date, meals, ...more } }),
    refused: async (meals: object[], more: object = {}) =>
      problemsOf(await call('savePlan', { body: { date, meals, ...more } })),
    setStatus: (meal: number, status: string) => call('setMealStatus', { params: { id: meal }, body: { status } }),
    change: (meal: number, body: object) => call('updateMeal', { params: { id: meal }, body }),
  }
}

/** The fields of a refusal with what is said of each; of anything else its code. */
const problemsOf = ({ code, data }: Reply): Record<string, string> | number =>
  code === 400 && Array.isArray(data)
    ? Object.fromEntries((data as { field: string; message: string }[]).map(({ field, message }) => [field, message]))
    : code

const meal = (time: string, name: string, ...ingredients: [name: string, amount: string][]) => ({
  time,
  name,
  ingredients: ingredients.map(([name, amount]) => ({ name, amount })),
})

t.test('the document has the operations, limits and lifetimes of the specification', async (t) => {
  const written = dietDocument.operations.map(({ method, path, secured, rateLimit, cache, dropsCache }) => {
    const limit = `${rateLimit?.max} in ${rateLimit?.window} s by ${rateLimit?.by}`
    return `${method} ${path} ${secured} ${rateLimit?.bucket} ${limit} ${cache?.maxAge ?? (dropsCache ? 'drops' : '-')}`
  })
  t.equal(dietDocument.prefix, '/api/v1/diet')
  t.same(written.toSorted(), [
    'GET /meals/today true reads 10 in 60 s by user 300',
    'GET /nutrition/report true reads 10 in 60 s by user 600',
    'GET /plans/{date} true reads 10 in 60 s by user -',
    'GET /recipes/recommended true reads 10 in 60 s by user 3600',
    'POST /plans true writes 5 in 60 s by user drops',
    'PUT /meals/{id} true writes 5 in 60 s by user drops',
    'PUT /meals/{id}/status true writes 5 in 60 s by user drops',
  ])
})

t.test('a plan is saved, shown by its time, and replaced as a whole', async (t) => {
  const a = await diner('planner')
  t.match(await a.call('getPlan', { params: { date } }), { code: 404, msg: `date: no plan exists for ${date}` })
  t.same(await a.take('listTodaysMeals'), [])
  const saved = await a.plan(
    [
      meal('19:00', 'Dinner', ['rice', '０.１ 千克'], ['西红柿', '½ 个']),
      { ...meal('08:00', 'Breakfast', ['egg', '2个'], ['dragon dust', '3 g']), description: 'early', calories: 400 },
    ],
    { preferences: ['low fat'], allergies: ['花生'] },
  )
  t.match(saved, {
    date,
    preferences: ['low fat'],
    allergies: ['花生'],
    coverage: 0.75,
    unknownIngredients: ['dragon dust'],
  })
  const [breakfast, dinner] = saved.meals
  t.match(breakfast, {
    ...{ time: '08:00', name: 'Breakfast', description: 'early', status: 'pending', calories: 400, coverage: 0.5 },
    ...{ unknownIngredients: ['dragon dust'], ownFigures: ['calories'], notExcluded: ['dragon dust'] },
    ingredients: [
      { name: 'egg', amount: '2个' },
      { name: 'dragon dust', amount: '3g' },
    ],
  })
  t.match(dinner, {
    coverage: 1,
    ownFigures: { length: 0 },
    notExcluded: { length: 0 },
    ingredients: [{ amount: '0.1kg' }, { amount: '0.5个' }],
  })
  t.ok((dinner?.calories ?? 0) > 100)
  const sum = (figure: 'protein' | 'carbs' | 'fat') =>
    saved.meals.reduce((total, { nutrition }) => total + Math.round(nutrition[figure] * 10), 0) / 10
  t.same(saved.nutrition, { protein: sum('protein'), carbs: sum('carbs'), fat: sum('fat') })
  t.equal(saved.totalCalories * 10, Math.round(400 * 10 + (dinner?.calories ?? 0) * 10))
  t.match(saved.warnings, [/allergens cannot be excluded in dragon dust/])
  t.same(await a.take('getPlan', { params: { date } }), saved)
  t.same(await a.take('listTodaysMeals'), saved.meals)

  const replaced = await a.plan([meal('12:00', 'Lunch', ['tofu', '200g'])])
  t.equal(replaced.id, saved.id)
  t.match(replaced, { preferences: { length: 0 }, allergies: { length: 0 }, coverage: 1, warnings: { length: 0 } })
  t.same(
    replaced.meals.map(({ name }) => name),
    ['Lunch'],
  )
  t.equal((await a.setStatus(breakfast?.id ?? 0, 'done')).code, 404, 'a meal of the former plan is gone')
  t.match(await a.plan([]), { meals: { length: 0 }, totalCalories: 0, coverage: 1 })
})

t.test('a plan that is not right is refused, all of it and at once', async (t) => {
  const a = await diner('careless')
  t.match(
    await a.refused([
      meal('08:00', 'Breakfast', ['egg', '2'], ['milk', '1,5 L'], ['rice', '3 cups']),
      { time: '12:00' },
      { time: '13:00', recipeId: 987_654 },
      { time: '19:00', recipeId: 1, name: 'Mine', calories: 3 },
      { ...meal('20:00', 'Snack'), servings: 2 },
    ]),
    {
      'meals.0.ingredients.0.amount': /^of egg must be a number and one of the units g, kg/,
      'meals.0.ingredients.1.amount': /^of milk /,
      'meals.0.ingredients.2.amount': /^of rice /,
      'meals.1.name': /is required/,
      'meals.1.ingredients': /is required/,
      'meals.2.recipeId': 'recipe 987654 does not exist',
      'meals.3.name': 'is not allowed with recipeId',
      'meals.3.calories': 'is not allowed with recipeId',
      'meals.4.servings': 'is allowed only with recipeId',
    },
  )
  for (const time of ['8:00', '24:00', '12:60', '12:00:00', '', '１２:00']) {
    t.match(await a.refused([meal(time, 'x')]), { 'meals.0.time': /must be a time of the day/ }, time)
  }
  for (const wrong of ['2026-02-29', '2026-1-1', '0000-01-01', '20260101', '']) {
    const reply = await a.call('savePlan', { body: { date: wrong, meals: [] } })
    t.match(problemsOf(reply), { date: String }, wrong)
  }
  t.match(await a.refused([{ ...meal('12:00', 'x'), calories: '1' }]), { 'meals.0.calories': 'must be a number' })
  t.equal((await a.call('getPlan', { params: { date } })).code, 404, 'nothing of it was saved')
  t.match(await a.call('getPlan', { params: { date: '2026-02-30' } }), { code: 400, msg: /^date: / })
})

t.test('a recipe is planned by its number and its servings', async (t) => {
  const a = await diner('cook')
  const [dish] = dishes
  if (dish === undefined) return t.fail('there are no recipes')
  const { meals } = await a.plan([
    { time: '08:00', recipeId: dish.id },
    { time: '09:00', recipeId: dish.id, servings: 1.5 },
  ])
  t.match(meals[0], {
    name: dish.name,
    description: dish.description,
    calories: dish.figures.calories / 10,
    coverage: 1,
  })
  t.same(meals[0]?.ingredients, dish.ingredients)
  const half = (meals[1]?.calories ?? 0) - 1.5 * (meals[0]?.calories ?? 0)
  t.ok(Math.abs(half) <= 0.11, 'except for rounding')
})

t.test('a plan cannot hold what its user must not eat', async (t) => {
  const a = await diner('allergic')
  const [lunch] = (await a.plan([meal('12:00', 'Lunch', ['rice', '100g'])])).meals
  const refusal =
    /^酱油 \(soy sauce\) contains soybeans \(Regulation \(EU\) No 1169\/2011, Annex II\), and 大豆 is among/
  const cases: [allergy: string, ingredient: string, message: RegExp][] = [
    ['大豆', '酱油', refusal],
    ['gluten', 'Soy Sauce', /contains gluten/],
    ['peanut allergy', '花生酱', /contains peanuts/],
    ['对海鲜过敏', 'squid', /contains molluscs/],
    ['乳制品', 'butter', /contains milk/],
    ['nuts, fish', '三文鱼', /contains fish/],
    ['strawberry', '草莓', /is strawberries/],
    ['strawberry', 'strawberry jam of mine', /says so by its name/],
    ['durian', 'durian crisps', /says so by its name/],
    ['shellfish', 'grandmother’s shrimp paste', /has shrimp in its name, which stands for crustaceans/],
    ['milk', 'cheddar surprise', /which stands for milk/],
  ]
  for (const [allergy, ingredient, message] of cases) {
    const planned = meal('12:00', 'Lunch', ['rice', '1g'], [ingredient, '10g'])
    const problems = await a.refused([planned], { allergies: [allergy] })
    t.match(problems, { 'meals.0.ingredients.1.name': message }, `${allergy}: ${ingredient}`)
  }
  for (const [allergy, ingredient] of [
    ['nuts', 'coconut milk'],
    ['milk', 'coconut milk'],
    ['eggs', 'eggplant'],
    ['无', '酱油'],
    ['none', 'egg'],
  ] as const) {
    const allowed = await a.call('savePlan', {
      body: { date: '2026-06-11', meals: [meal('12:00', 'Lunch', [ingredient, '10g'])], allergies: [allergy] },
    })
    t.equal(allowed.code, 200, `${allergy}: ${ingredient}`)
  }
  for (const allergen of allergenClasses) {
    for (const { en, zh } of foods.filter(({ allergens }) => allergens.includes(allergen)).slice(0, 2)) {
      const problems = await a.refused([meal('12:00', 'Lunch', [zh[0], '1g'])], { allergies: [allergen] })
      t.match(problems, { 'meals.0.ingredients.0.name': new RegExp(`contains ${allergen}`) }, `${allergen}: ${en[0]}`)
    }
  }
  t.match(await a.take('getPlan', { params: { date } }), { meals: [{ id: lunch?.id }] }, 'the plan is as it was')

  const shrimp = dishes.find(({ foods }) => foods.some(({ allergens }) => allergens.includes('crustaceans')))
  t.match(await a.refused([{ time: '12:00', recipeId: shrimp?.id }], { allergies: ['甲壳类'] }), {
    'meals.0.recipeId': /contains crustaceans/,
  })

  const unsure = await a.plan([meal('12:00', 'Lunch', ['secret sauce', '10g'], ['rice', '1g'])], {
    allergies: ['蛋', 'durian'],
  })
  t.match(unsure.meals, [{ notExcluded: ['secret sauce'] }], 'unknown is not safe')
  t.match(unsure.warnings, [/durian is none of the 14 classes/, /cannot be excluded in secret sauce/])
  const id = unsure.meals[0]?.id ?? 0
  const egg = { ingredients: [{ name: 'egg', amount: '1个' }] }
  t.match(problemsOf(await a.change(id, egg)), { 'ingredients.0.name': /contains eggs .* 蛋 is among the allergies/ })
  t.same(
    (await a.take('listTodaysMeals')).map(({ ingredients }) => ingredients[0]?.name),
    ['secret sauce'],
  )
})

t.test('a meal is adjusted field by field', async (t) => {
  const a = await diner('adjuster')
  const { meals } = await a.plan([
    { ...meal('12:00', 'Lunch', ['dragon dust', '10g']), calories: 100, nutrition: { fat: 9 } },
  ])
  const id = meals[0]?.id ?? 0
  t.match(meals[0], { calories: 100, nutrition: { fat: 9, protein: 0 }, ownFigures: ['calories', 'fat'] })
  t.match(await a.change(id, { calories: 250.25 }), { code: 200, data: { calories: 250.3, nutrition: { fat: 9 } } })
  t.match(await a.change(id, { name: 'Late lunch' }), { data: { name: 'Late lunch', calories: 250.3 } })
  t.match(await a.change(id, {}), { code: 200, data: { id, name: 'Late lunch' } })
  const other = await a.change(id, { ingredients: [{ name: '鸡蛋', amount: '100 克' }] })
  t.match(other.data, { coverage: 1, ownFigures: { length: 0 }, ingredients: [{ name: '鸡蛋', amount: '100g' }] })
  const back = await a.change(id, { ingredients: [{ name: 'dragon dust', amount: '1g' }] })
  t.match(back.data, { calories: 0, ownFigures: { length: 0 } }, 'figures for the former ingredients are dropped')
  for (const [amount, said] of [
    ['', /^of rice must not be empty$/],
    ['1'.repeat(100), /^of rice must have at most \d+ characters$/],
    [3, /^of rice must be a text$/],
  ] as const) {
    const ingredients = [
      { name: 'egg', amount: '1个' },
      { name: 'rice', amount },
    ]
    t.match(problemsOf(await a.change(id, { ingredients })), { 'ingredients.1.amount': said })
  }
  t.match(problemsOf(await a.change(id, { ingredients: [{ name: 'rice', amount: 'some' }] })), {
    'ingredients.0.amount': /^of rice must be/,
  })
  t.same(await a.take('listTodaysMeals'), [back.data])
})

t.test('any status follows any other, and one meal is current, however many ask at once', async (t) => {
  const a = await diner('eater')
  const { meals } = await a.plan(['08:00', '12:00', '18:00'].map((time) => meal(time, time)))
  const [first = 0, second = 0, third = 0] = meals.map(({ id }) => id)
  const statuses = async () => (await a.take('listTodaysMeals')).map(({ status }) => status)
  for (const status of ['done', 'pending', 'current', 'done', 'current', 'current', 'pending', 'done']) {
    const reply = await a.setStatus(first, status)
    t.match(reply, { code: 200, body: '{"code":200,"message":"success"}' }, 'no data')
    t.same(await statuses(), [status, 'pending', 'pending'])
  }
  await a.setStatus(second, 'current')
  await a.setStatus(third, 'current')
  t.same(await statuses(), ['done', 'pending', 'current'], 'a meal that is done stays done')
  for (let round = 0; round < 3; round++) {
    const replies = await Promise.all([first, second, third, first, second].map((id) => a.setStatus(id, 'current')))
    t.same(
      replies.map(({ code }) => code),
      [200, 200, 200, 200, 200],
    )
    t.same((await statuses()).toSorted(), ['current', 'pending', 'pending'])
  }
  t.equal((await a.setStatus(unknownId, 'done')).code, 404)
  t.match(await a.setStatus(first, 'eaten'), { code: 400, msg: 'status: must be one of pending, current, done' })
})

t.test('of plans that are saved at once one is left, and it is whole', async (t) => {
  const a = await diner('hasty')
  // As many as a minute allows.
  const list = Array.from({ length: 5 }, (_, n) =>
    Array.from({ length: n + 1 }, (_, m) => meal(`0${m}:00`, `${n}`, ['egg', `${n + 1}个`])),
  )
  const replies = await Promise.all(
    list.map((meals, n) => a.call('savePlan', { body: { date, meals, preferences: [`${n}`], allergies: [] } })),
  )
  for (const { code, data } of replies) {
    t.equal(code, 200)
    t.same(new Set(data.meals.map(({ name }) => name)).size, 1, 'each is answered its own')
  }
  const left = await a.take('getPlan', { params: { date } })
  const n = Number(left.preferences[0])
  t.same(
    left.meals.map(({ name }) => name),
    list[n]?.map(({ name }) => name),
  )
  const [rows] = await s.db.execute(sql`
    select count(distinct p.id)::int as plans, count(*)::int as meals
    from meal_plans p join meals m on m.plan_id = p.id where p.user_id = ${a.id}`)
  t.same(rows, { plans: 1, meals: n + 1 })
  // A change of a meal while its plan is replaced is made, or is answered that the meal is gone.
  const [meal0] = left.meals
  const both = await Promise.all([a.plan([meal('12:00', 'new')]), a.change(meal0?.id ?? 0, { name: 'old' })])
  t.ok([200, 404].includes(both[1].code))
  t.same(
    (await a.take('getPlan', { params: { date } })).meals.map(({ name }) => name),
    ['new'],
  )
})

t.test('a plan is not replaced over what another page has saved meanwhile', async (t) => {
  const a = await diner('careful')
  const save = (name: string, version?: string) =>
    a.call('savePlan', { body: { date, meals: [meal('08:00', name)], ...(version !== undefined && { version }) } })
  const stale = { code: 409, reason: 'db.changed_meanwhile', data: [{ field: 'version' }] }
  const read = () => a.take('getPlan', { params: { date } })

  t.match(await save('none', '0'.repeat(32)), stale, 'no plan is there to be replaced')
  t.equal((await a.call('getPlan', { params: { date } })).code, 404, 'and none was made')
  const both = await Promise.all([save('one', ''), save('other', '')])
  t.same(both.map(({ code }) => code).sort(), [200, 409], 'of two who found no plan one makes it')
  t.match(await save('third', ''), stale)
  const { meals, version } = await read()
  t.equal(both.find(({ code }) => code === 200)?.data.version, version)
  t.equal((await read()).version, version, 'reading changes nothing')

  const id = meals[0]?.id ?? 0
  for (const change of [() => a.setStatus(id, 'done'), () => a.change(id, { name: 'eaten' })]) {
    const before = (await read()).version
    t.equal((await change()).code, 200)
    t.match(await save('over', before), stale, 'a meal was changed')
  }
  const now = await read()
  t.match(now.meals, [{ name: 'eaten', status: 'done' }], 'what was refused is not there')
  const same = await Promise.all([save('first', now.version), save('second', now.version)])
  t.same(same.map(({ code }) => code).sort(), [200, 409], 'of two who read the same plan one replaces it')
  t.equal((await save('whichever')).code, 200, 'without a version the plan that is there is replaced')
})

t.test('a meal is not changed over what another page has changed meanwhile', async (t) => {
  const a = await diner('second page')
  const [saved] = (await a.plan([meal('08:00', 'Breakfast', ['egg', '1个'])])).meals
  const id = saved?.id ?? 0
  const read = async () => (await a.take('listTodaysMeals'))[0]?.version
  const first = saved?.version
  t.equal(await read(), first, 'every answer has the same version of a meal')
  t.equal((await a.setStatus(id, 'done')).code, 200)
  t.equal(await read(), first, 'a status is no other meal')

  const change = (amount: string, version?: string) => a.change(id, { ingredients: [{ name: 'egg', amount }], version })
  const both = await Promise.all([change('2个', first), change('3个', first)])
  t.same(both.map(({ code }) => code).sort(), [200, 409], 'of two who read the same meal one changes it')
  const stale = { code: 409, reason: 'db.changed_meanwhile', data: [{ field: 'version' }] }
  t.match(await change('4个', first), stale)
  const made = both.find(({ code }) => code === 200)?.data
  t.match(await a.take('listTodaysMeals'), [made], 'what was refused is not there')
  t.equal((await change('4个', made?.version)).code, 200)
  t.equal((await change('5个')).code, 200, 'without a version the meal that is there is changed')
})

t.test('a meal of a recipe stays one when its plan is saved again', async (t) => {
  const a = await diner('recipe eater')
  const { id: recipeId = 0 } = dishes[0] ?? {}
  const { meals } = await a.plan([{ time: '12:00', recipeId, servings: 2 }, meal('08:00', 'Breakfast', ['egg', '1个'])])
  t.same(
    meals.map(({ fromRecipe }) => fromRecipe),
    [undefined, recipeId],
  )
  const recipes = async () =>
    s.db.execute(sql`
    select m.recipe_id::int as id from meals m join meal_plans p on p.id = m.plan_id
    where p.user_id = ${a.id} and m.recipe_id is not null`)
  const again = meals.map(({ time, name, ingredients, fromRecipe }) => ({
    ...{ time, name, ingredients },
    ...(fromRecipe !== undefined && { fromRecipe }),
  }))
  t.equal((await a.plan(again)).meals[1]?.fromRecipe, recipeId)
  t.same(await recipes(), [{ id: recipeId }])
  t.same(
    await a.refused([
      { ...again[0], fromRecipe: 987_654 },
      { time: '12:00', recipeId, fromRecipe: recipeId },
    ]),
    {
      'meals.0.fromRecipe': 'recipe 987654 does not exist',
      'meals.1.fromRecipe': 'is not allowed with recipeId',
    },
  )
  const dinner = (await a.take('getPlan', { params: { date } })).meals[1]
  const changed = await a.change(dinner?.id ?? 0, { ingredients: [{ name: 'egg', amount: '1个' }] })
  t.equal(changed.data.fromRecipe, undefined, 'other ingredients are of no recipe')
  const screened = { ...again[1], ingredients: [{ name: 'shrimp', amount: '9g' }] }
  t.match(await a.refused([screened], { allergies: ['甲壳类'] }), { 'meals.0.ingredients.0.name': /crustaceans/ })
})

t.test('a user cannot see, change or disturb what is another’s', async (t) => {
  const [a, b] = [await diner('one'), await diner('other')]
  const [mine] = (await a.plan([meal('12:00', 'Mine', ['egg', '1个'])], { allergies: ['fish'] })).meals
  const id = mine?.id ?? 0
  for (const reply of [await b.setStatus(id, 'done'), await b.change(id, { name: 'Yours' })]) {
    t.match(reply, { code: 404, msg: `id: meal ${id} does not exist` })
    t.equal(reply.body, (await b.change(unknownId, {})).body.replaceAll(`${unknownId}`, `${id}`), 'as if it never was')
  }
  t.equal((await b.call('getPlan', { params: { date } })).code, 404)
  t.same(await b.take('listTodaysMeals'), [])
  t.match(await b.take('getNutritionReport'), { dailyCalories: 0 })
  await b.plan([meal('12:00', 'Yours', ['salmon', '1g'])])
  t.same((await a.take('getPlan', { params: { date } })).meals, [mine])
  await s.call('deleteUsers', { token: s.token, body: { userIds: [a.id] } })
  const [left] = await s.db.execute(sql`select count(*)::int as n from meals where id = ${id}`)
  t.same(left, { n: 0 }, 'the plans of a deleted user are deleted')
  t.equal((await b.take('listTodaysMeals')).length, 1)
})

t.test('today ends at midnight of the time zone', async (t) => {
  const a = await diner('night owl')
  for (const day of ['2026-10-24', '2026-10-25', '2026-10-26']) {
    await a.take('savePlan', { body: { date: day, meals: [meal('12:00', day)] } })
  }
  const today = async (at: string) => {
    instant = Date.parse(at) - 61_000
    return (await a.take('listTodaysMeals')).map(({ name }) => name)
  }
  t.same(await today('2026-10-24T21:59:59Z'), ['2026-10-24'])
  t.same(await today('2026-10-24T22:00:00Z'), ['2026-10-25'])
  t.same(await today('2026-10-25T22:59:59Z'), ['2026-10-25'], 'an hour longer than others')
  t.same(await today('2026-10-25T23:00:00Z'), ['2026-10-26'])
  t.same(await today('2026-10-26T23:00:00Z'), [])
  instant = noon
})

t.test('the report holds the day against the target, and every change it suggests comes to what it says', async (t) => {
  const a = await diner('reader')
  t.match(await a.take('getNutritionReport'), {
    ...{ dailyCalories: 0, status: 'warning', coverage: 1, suggestions: [/^Nothing is planned for 2026-06-10/] },
    target: {
      calories: 2000,
      protein: { min: 50, max: 100 },
      carbs: { min: 250, max: 325 },
      fat: { min: 44.4, max: 66.7 },
    },
    eaten: { calories: 0, protein: 0, carbs: 0, fat: 0 },
  })
  const fatty = [meal('08:00', 'Bread', ['bread', '100g']), meal('12:00', 'Butter', ['butter', '250g'])]
  const { meals } = await a.plan(fatty, { allergies: ['peanuts', 'fish'], preferences: ['vegetarian'] })
  await a.setStatus(meals[0]?.id ?? 0, 'done')
  const report = await a.take('getNutritionReport')
  t.match(report, { status: 'bad', eaten: { calories: meals[0]?.calories } })
  t.equal(report.dailyCalories, Math.round(meals.reduce((sum, { calories }) => sum + calories * 10, 0)) / 10)
  t.match(report.suggestions.join('\n'), /Fat gives \d+(\.\d)? % of the energy \(\d+(\.\d)? g\); it should be 20–30 %/)

  const changes = report.suggestions.flatMap((text) => [
    ...text.matchAll(/(?:(Add)|Instead of (\w+) at [\d:]+ have) recipe (\d+), .*: then the day has ([\d.]+) kcal/g),
  ])
  t.ok(changes.length > 0, report.suggestions.join('\n'))
  for (const [text, add, instead, recipeId, calories] of changes) {
    const left = add ? fatty : fatty.filter(({ name }) => name !== instead)
    t.equal(left.length, add ? 2 : 1)
    const chosen = { time: '12:30', recipeId: Number(recipeId) }
    const wishes = { allergies: ['peanuts', 'fish'], preferences: ['vegetarian'] }
    t.equal((await a.plan([...left, chosen], wishes)).totalCalories, Number(calories), text)
    t.ok(findDish(Number(recipeId))?.foods.every(({ origin }) => origin === 'plant' || origin === 'dairy-egg'))
  }

  await a.plan([...fatty, meal('18:00', 'Dinner', ['dragon dust', '1g'])])
  const partial = await a.take('getNutritionReport')
  t.match(partial, { coverage: 0.66, unknownIngredients: ['dragon dust'], suggestions: [/./] })
  t.match(partial.suggestions.at(-1), /Nothing is known of dragon dust/)
})

t.test('a day is good within all ranges and with everything known, and only then', async (t) => {
  const a = await diner('exemplary')
  // 2000 kcal: 15 % protein, 58 % carbs and 27 % fat are about 75, 290 and 60 g.
  const day = [
    meal('08:00', 'Oats', ['oats', '100g'], ['milk', '300ml'], ['banana', '1个']),
    meal('12:00', 'Rice', ['rice', '450g'], ['chicken breast', '60g'], ['vegetable oil', '18g']),
    meal('18:00', 'Potatoes', ['potato', '500g'], ['olive oil', '22g'], ['apple', '1个']),
  ]
  await a.plan(day)
  const good = await a.take('getNutritionReport')
  t.match(good, { status: 'good', suggestions: { length: 0 }, coverage: 1 }, JSON.stringify(good))
  await a.plan([...day, meal('20:00', 'Pinch', ['dragon dust', '1g'])])
  t.match(await a.take('getNutritionReport'), { status: 'warning', suggestions: [/dragon dust/] })
  await a.plan(day.slice(0, 2))
  t.match((await a.take('getNutritionReport')).suggestions, [/less than the 2000 kcal/])
})

t.test(
  'what is recommended fits what is left, the allergies, the preferences, and was not eaten of late',
  async (t) => {
    const a = await diner('hungry')
    const list = (who = a) => who.take('listRecommendedRecipes')
    const first = await list()
    t.equal(first.length, 10)
    t.same(await list(), first, 'the same state gives the same answer')
    for (const { id, calories, suitable, ingredients } of first) {
      t.equal(calories, (findDish(id)?.figures.calories ?? 0) / 10)
      t.equal(suitable[0], `${calories} kcal of the 2000 kcal that are left today`)
      t.same(ingredients, findDish(id)?.ingredients)
    }

    const words = ['花生', '牛奶', 'eggs', 'gluten', '海鲜', 'soy', 'sesame', 'nuts']
    const classes = ['peanuts', 'milk', 'eggs', 'gluten', 'crustaceans', 'soybeans', 'sesame', 'nuts'] as const
    for (let n = 1; n <= words.length; n += 1) {
      await a.plan([], { allergies: words.slice(0, n), preferences: ['vegetarian', 'chinese'] })
      const recipes = await list()
      for (const { id, suitable } of recipes) {
        const foods = findDish(id)?.foods ?? []
        const found = foods.filter(({ allergens }) => classes.slice(0, n).some((each) => allergens.includes(each)))
        t.same(
          found.map(({ id }) => id),
          [],
        )
        t.ok(foods.every(({ origin }) => origin === 'plant' || origin === 'dairy-egg'))
        t.ok(suitable.includes('vegetarian') && suitable.includes(`without ${words[0]}`))
        const planned = await a.call('savePlan', {
          body: { date: '2026-07-01', meals: [{ time: '12:00', recipeId: id }], allergies: words.slice(0, n) },
        })
        t.equal(planned.code, 200)
      }
    }

    // The word of another day counts too, when it is the last.
    await a.take('savePlan', { body: { date: '2026-07-01', meals: [], allergies: ['milk'] } })
    for (const { suitable } of await list())
      t.ok(suitable.includes('without milk') && suitable.includes('without 花生'))

    const b = await diner('eats again')
    const best = await list(b)
    const planOn = (day: string) =>
      b.take('savePlan', { body: { date: day, meals: best.map(({ id }) => ({ time: '12:00', recipeId: id })) } })
    await planOn('2026-06-06')
    t.same(
      (await list(b)).map(({ id }) => id),
      best.map(({ id }) => id),
      'four days ago is long ago',
    )
    await planOn('2026-06-07')
    const others = await list(b)
    t.same(
      others.filter(({ id }) => best.some((each) => each.id === id)),
      [],
    )

    const { meals } = await b.plan([{ ...meal('08:00', 'Much'), calories: 1650 }, meal('12:00', 'Later')])
    await b.setStatus(meals[0]?.id ?? 0, 'done')
    const few = await list(b)
    t.ok(few.length > 0)
    for (const { calories, suitable } of few) {
      t.ok(calories <= 350)
      t.match(suitable[0], /of the 350 kcal that are left today/)
    }
    await b.plan([{ ...meal('08:00', 'Too much'), calories: 2600 }])
    await b.setStatus((await b.take('listTodaysMeals'))[0]?.id ?? 0, 'current')
    t.same(await list(b), [], 'nothing is left')
  },
)

t.test('plans come back as they were with a backup', async (t) => {
  const a = await diner('restored')
  const saved = await a.plan([{ ...meal('12:00', '午餐', ['dragon dust', '½份']), nutrition: { fat: 1.5 } }], {
    allergies: ['花生'],
    preferences: ['vegan'],
  })
  await a.setStatus(saved.meals[0]?.id ?? 0, 'current')
  const before = await a.take('getPlan', { params: { date } })
  const admin = { token: s.token }
  const { id } = (await s.call('createBackup', { ...admin, body: { type: 'manual' } })).data
  await a.plan([])
  await a.take('savePlan', { body: { date: '2026-06-12', meals: [] } })
  await s.db.execute(sql`update sessions set stepped_up_at = now()`)
  t.equal((await s.call('restoreBackup', { ...admin, params: { id } })).code, 200)
  const token = await s.signIn('restored', 'restored has a password')
  instant += 61_000
  t.same((await s.call('getPlan', { token, params: { date } })).data, before)
  t.same((await s.call('listTodaysMeals', { token })).data, before.meals)
  t.equal((await s.call('getPlan', { token, params: { date: '2026-06-12' } })).code, 404)
})
