import t from 'tap'
import { dishes } from '../../src/diet/dishes.ts'
import { foods } from '../../src/diet/foods/foods.ts'
import { steward } from '../steward.ts'

const { call, token, person } = await steward(t, { directory: 'none' })

const foodsBy = async (query: Record<string, string | number | readonly string[]>) =>
  (await call('searchFoods', { token, query })).data
const recipesBy = async (query: Record<string, string | number | readonly string[]>) =>
  (await call('searchRecipes', { token, query })).data

t.test('a food is found by a part of any of its names, in Chinese or English, the best match first', async (t) => {
  for (const food of foods) {
    for (const name of [food.en[0], food.zh[0]]) {
      const [first] = (await foodsBy({ q: name, pageSize: 1 })).foods
      t.ok([first?.en, first?.zh].includes(name), `${name} finds ${first?.id}`)
    }
  }
  t.match((await foodsBy({ q: ' EGG ' })).foods[0], { id: 'egg', zh: '鸡蛋' })
  t.match((await foodsBy({ q: '鸡蛋' })).foods[0], { id: 'egg' })
  t.same(await foodsBy({ q: 'nothing is called that' }), { total: 0, foods: [] })
})

t.test('figures are those of 100 g, and units those that can be weighed', async (t) => {
  const [egg] = (await foodsBy({ q: 'egg', pageSize: 1 })).foods
  const known = foods.find(({ id }) => id === 'egg')
  t.match(egg?.per100g, { calories: known?.per100g.kcal, protein: known?.per100g.protein })
  t.same(egg?.units.find(({ unit }) => unit === '个')?.grams, known?.pieceGrams)
  for (const { id, units } of (await foodsBy({ pageSize: 200 })).foods) {
    const { density } = foods.find((food) => food.id === id) ?? {}
    t.equal(
      units.some(({ unit }) => unit === 'ml'),
      density !== undefined,
      `${id} is measured in ml`,
    )
  }
})

t.test('what contains an allergen is left out, of foods and of recipes', async (t) => {
  const without = ['gluten', 'milk']
  const { total, foods: found } = await foodsBy({ without, pageSize: 200 })
  t.ok(total > 0 && total < foods.length)
  for (const { id, allergens } of found)
    t.notOk(
      allergens.some((each) => without.includes(each)),
      id,
    )
  const recipes = await recipesBy({ without, pageSize: 200 })
  t.ok(recipes.total > 0 && recipes.total < dishes.length)
  for (const { id } of recipes.recipes) {
    const dish = dishes.find((each) => each.id === id)
    for (const food of dish?.foods ?? [])
      t.notOk(
        food.allergens.some((each) => without.includes(each)),
        `recipe ${id}`,
      )
  }
  t.match(await call('searchFoods', { token, query: { without: 'pollen' } }), { code: 400 })
})

t.test('recipes are found by their name before their ingredients, and up to an energy', async (t) => {
  const { recipes } = await recipesBy({ q: 'potato', pageSize: 200 })
  const named = recipes.map(({ en, zh }) => /potato/i.test(`${en} ${zh}`))
  t.same(
    named,
    [...named].sort((a, b) => Number(b) - Number(a)),
    'names first',
  )
  t.ok(named.includes(true) && named.includes(false))
  const light = await recipesBy({ maxCalories: 200, pageSize: 200 })
  t.ok(light.total > 0 && light.total < dishes.length)
  for (const { id, calories } of light.recipes) {
    t.ok(calories <= 200, `recipe ${id}`)
    t.equal(calories, (dishes.find((dish) => dish.id === id)?.figures.calories ?? 0) / 10, 'as plans count it')
  }
})

t.test('pages have no gap', async (t) => {
  const ids: string[] = []
  for (let pageNum = 1; ; pageNum += 1) {
    const { foods: page } = await foodsBy({ pageNum, pageSize: 70 })
    if (page.length === 0) break
    ids.push(...page.map(({ id }) => id))
  }
  t.same([...ids].sort(), foods.map(({ id }) => id).sort())
})

t.test('the role user may search', async (t) => {
  const { token } = await person('dan', { roleIds: [2] })
  t.match(await call('searchFoods', { token }), { code: 200 })
  t.match(await call('searchRecipes', { token }), { code: 200 })
})
