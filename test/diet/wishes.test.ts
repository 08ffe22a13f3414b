import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import t from 'tap'
import { allergenClasses, allergenNames } from '../../src/diet/allergens.ts'
import { type Dish, dishes } from '../../src/diet/dishes.ts'
import { addFigures, type Figures, figureNames } from '../../src/diet/figures/figures.ts'
import { mealFigures } from '../../src/diet/figures/meal-figures.ts'
import { deviationsOf, distanceOf } from '../../src/diet/figures/target.ts'
import { foods } from '../../src/diet/foods/foods.ts'
import { menuFor } from '../../src/diet/menu/menu.ts'
import { recommend } from '../../src/diet/menu/recommend.ts'
import { namesOf } from '../../src/diet/names/food-names.ts'
import { phrasesIn } from '../../src/diet/names/phrases.ts'
import { wordsIn } from '../../src/diet/names/words.ts'
import type { MealRecord } from '../../src/diet/plans/plan-records.ts'
import { shownPlan } from '../../src/diet/plans/shown.ts'
import { assess } from '../../src/diet/suggestions/assess.ts'
import { kindAt } from '../../src/diet/suggestions/meal-kinds.ts'
import { findSwaps } from '../../src/diet/suggestions/swaps.ts'
import { readAllergies } from '../../src/diet/wishes/allergies.ts'
import { isIdle, readPreferences } from '../../src/diet/wishes/preferences.ts'
import { type Finding, openScreening } from '../../src/diet/wishes/screening.ts'
import { steward } from '../steward.ts'

const seed = Number(process.env.FUZZ_SEED ?? 20_260_131)
const check = <T>(property: fc.IProperty<T>, numRuns = 300) => fc.assert(property, { seed, numRuns })

/** A class, and a word for it as a user may type it. */
const allergy = fc.constantFrom(...allergenClasses).chain((allergen) => {
  const { en, zh } = allergenNames[allergen]
  const word = fc.constantFrom(...en, ...zh)
  const dress = fc.constantFrom(
    (text: string) => text,
    (text: string) => text.toUpperCase(),
    (text: string) => ` ${text} allergy`,
    (text: string) => `allergic to ${text}`,
    (text: string) => `对${text}过敏`,
    (text: string) => `${text}、${text}`,
  )
  return fc
    .tuple(fc.constant(allergen), word, dress)
    .map(([allergen, word, dress]) => ({ allergen, word: dress(word) }))
})

const wish = fc.constantFrom(
  'vegan',
  '素食',
  'low fat',
  '高蛋白',
  'chinese',
  'no pork',
  '不吃鸡蛋',
  'tofu',
  'gluten free',
  '?',
)

t.test('an allergen, in whatever words, excludes every food that contains it', async (t) => {
  for (const allergen of allergenClasses) {
    const { en, zh } = allergenNames[allergen]
    const containing = foods.filter(({ allergens }) => allergens.includes(allergen))
    for (const word of [...en, ...zh]) {
      const { find } = openScreening([word])
      const missed = containing.flatMap(namesOf).filter((name) => find(name).kind !== 'contains')
      t.same(missed, [], `${allergen}: ${word}`)
    }
  }
  check(
    fc.property(fc.array(allergy, { minLength: 1, maxLength: 4 }), fc.constantFrom(...foods), (allergies, food) => {
      const { find } = openScreening(allergies.map(({ word }) => word))
      const contained = allergies.some(({ allergen }) => food.allergens.includes(allergen))
      return !contained || namesOf(food).every((name) => find(name).kind === 'contains')
    }),
    2000,
  )
})

t.test('a food that is named is excluded, by any of its names', async (t) => {
  for (const food of foods) {
    const { find } = openScreening([food.zh[0]])
    const missed = namesOf(food).filter((name) => find(name).kind !== 'contains')
    if (food.allergens.length === 0) t.same(missed, [], food.id)
  }
  const { find } = openScreening(['strawberry'])
  for (const name of ['草莓', 'Strawberries', 'strawberry-cream', '草莓蛋糕'])
    t.equal(find(name).kind, 'contains', name)
  t.equal(find('berry mix').kind, 'not excluded')
  t.equal(find('egg').kind, 'free')
})

t.test('of what is unknown nothing is said to be safe', async (t) => {
  const { find, allergies } = openScreening(['fish', '甲壳类'])
  t.equal(find('secret sauce').kind, 'not excluded')
  t.match(find('红烧鱼块'), {
    kind: 'contains',
    proof: /^红烧鱼块 has 鱼 in its name, which stands for fish \(Reg.* fish is among/,
  })
  t.match(find('Shrimp, fried'), { proof: /has shrimp in its name, which stands for crustaceans .* 甲壳类 is among/ })
  t.equal(allergies.length, 2)
  t.equal(openScreening([]).find('secret sauce').kind, 'free', 'without an allergy every food is safe')
  t.same(readAllergies(['none', '无', ' - ', '。', 'n/a']), [])
  t.match(readAllergies(['无花果']), [{ keys: /无花果|fig/ }])
})

/** What is found in ingredients for one allergy. */
const findings = (allergy: string, ...ingredients: string[]): Finding['kind'][] => {
  const { find } = openScreening([allergy])
  return ingredients.map((ingredient) => find(ingredient).kind)
}

t.test('an allergy is understood in whatever sentence it stands', async (t) => {
  const sentences: Record<string, string[]> = {
    对花生和鸡蛋过敏: ['花生', 'egg', '蛋炒饭 special'],
    '花生/鸡蛋': ['peanut butter', '鸡蛋'],
    'peanuts & eggs': ['peanuts', 'omelette'],
    'peanuts+eggs | milk': ['peanuts', 'egg', 'milk'],
    '花生跟鸡蛋，还有牛奶': ['花生', '鸡蛋', '酸奶'],
    花生及其制品: ['花生酱'],
    'severe peanut allergy': ['peanuts', '花生油', 'peanut dust'],
    对花生严重过敏: ['peanuts', '花生酱'],
    'I react badly to cheddar': ['milk', 'cheddar'],
    'whole milk': ['milk', 'butter', '酸奶'],
    鲜牛奶: ['牛奶', 'cheese'],
    'raw eggs': ['egg', 'omelette', 'brownie', 'ice cream'],
    'severe strawberry allergy': ['草莓', 'strawberry cream'],
    'severe legume allergy': ['tofu', 'lentils', '鹰嘴豆', '豆沙包'],
    豆类: ['peanuts', '绿豆', 'green beans', '豌豆', 'hummus'],
  }
  for (const [allergy, ingredients] of Object.entries(sentences)) {
    const missed = ingredients.filter((each) => findings(allergy, each)[0] !== 'contains')
    t.same(missed, [], allergy)
  }
  t.same(
    findings('coconut milk', 'coconut milk', 'milk'),
    ['contains', 'free'],
    'a food is not what its name is made of',
  )
  t.same(findings('whole milk', 'coconut milk', 'soy milk'), ['free', 'free'])
  t.same(findings('legumes', 'potato', '土豆沙拉', 'rice'), ['free', 'free', 'free'])
  t.same(findings('面粉', 'rice flour', 'wheat flour'), ['free', 'contains'])
  const known = (word: string) => readAllergies([word]).map(({ isKnown, name }) => isKnown && name)
  t.same(known('对草莓过敏'), ['草莓'])
  t.same(known('severe peanut allergy'), ['severe peanut'])
  t.same(known('frobium'), [false])
})

t.test('food made for allergic people is neither refused nor called safe', async (t) => {
  const made: Record<string, string[]> = {
    gluten: ['gluten-free bread', 'Gluten Free Oats', '无麸质面包', '不含麸质的面条'],
    milk: ['vegan butter', 'dairy-free cheese', 'oat milk', 'vanilla rice milk', '无奶饼干', '燕麦奶', '纯素奶酪'],
    eggs: ['egg-free mayonnaise', '无蛋蛋糕', 'vegan omelette mix'],
    fish: ['vegan fish sauce'],
    molluscs: ['vegan oyster sauce', 'shellfish-free oyster sauce'],
    nuts: ['nut-free marzipan'],
    strawberry: ['strawberry-free jam mix'],
  }
  for (const [allergy, names] of Object.entries(made)) {
    for (const name of names) t.same(findings(allergy, name), ['not excluded'], `${name}: ${allergy}`)
  }
  const others: Record<string, string[]> = {
    milk: [
      'lactose-free milk',
      'lactose-free pudding',
      '无乳糖牛奶',
      'oat milk chocolate',
      'non-vegan butter',
      '无奶油蛋糕',
    ],
    gluten: ['vegan bread roll', 'oat milk', 'sugar-free bread roll'],
    eggs: [
      'eggs, free-range',
      'dish (eggs)',
      'free range egg mix',
      'eggs free range',
      '无蛋黄鸡蛋酱',
      'dairy-free egg cake',
    ],
    nuts: ['walnut-free almond cake', 'brazil nut free mix', 'vegan cashew dip'],
    peanuts: ['nut-free peanut brittle'],
  }
  for (const [allergy, names] of Object.entries(others)) {
    for (const name of names) t.same(findings(allergy, name), ['contains'], `${name}: ${allergy}`)
  }
  const { find } = openScreening(['milk', 'gluten', 'eggs'])
  t.match(
    find('gluten-free cookies'),
    { kind: 'contains', proof: /stands for (milk|eggs)/ },
    'without one is not without all',
  )
})

t.test('of an ingredient no more is searched than a name can be long, once for a plan', async (t) => {
  t.same(findings('milk', `${'x '.repeat(40)}milk`), ['contains'])
  // One character that is 18, seven times.
  t.same(findings('milk', `${'\ufdfa'.repeat(7)} milk`), ['not excluded'])
  const { find, allergies } = openScreening(['milk'])
  const asked: string[] = []
  const ingredients = [{ name: 'butter', amount: '1g' }]
  const meal: MealRecord = {
    ...{ id: 1, time: '08:00', name: 'Breakfast', description: '', status: 'pending', recipeId: null },
    version: '',
    ...{ ingredients, ownFigures: {} },
  }
  const screening = {
    allergies,
    find(name: string) {
      asked.push(name)
      return find(name)
    },
  }
  const plan = { id: 1, date: '2026-06-10', preferences: [], allergies: ['milk'], meals: [meal], version: '' }
  shownPlan(plan, screening)
  t.same(new Set(asked), new Set(['butter']), 'the screening that is given is used')
})

t.test('words and phrases are found where they are whole', async (t) => {
  t.same(wordsIn('peanuts, milk、牛奶; none or eggs and fish'), ['peanuts', 'milk', '牛奶', 'eggs', 'fish'])
  t.same(wordsIn('花生和鸡蛋；牛奶与芝麻, 鱼/虾'), ['花生', '鸡蛋', '牛奶', '芝麻', '鱼', '虾'])
  t.same(wordsIn('peanuts & eggs|milk + n/a, n/a, 和风, 谷物及其制品'), [
    'peanuts',
    'eggs',
    'milk',
    'n',
    'a',
    '和风',
    '谷物及其制品',
  ])
  const phrases = [...phrasesIn('braised coconut 虾仁')]
  for (const phrase of ['braised', 'braised coconut', 'coconut', '虾', '虾仁', '仁'])
    t.ok(phrases.includes(phrase), phrase)
  for (const phrase of ['nut', 'raised', 'coco', '仁虾']) t.notOk(phrases.includes(phrase), phrase)
})

t.test('preferences are understood in both languages, and what is not understood is known', async (t) => {
  const menu = (...words: string[]) => menuFor([], readPreferences(words))
  const origins = (list: readonly Dish[]) => [
    ...new Set(list.flatMap(({ foods }) => foods.map(({ origin }) => origin))),
  ]
  t.same(origins(menu('vegan')), ['plant'])
  t.same(menu('全素'), menu('Vegan'))
  t.same(origins(menu('素食')).toSorted(), ['dairy-egg', 'plant'])
  t.notOk(origins(menu('鱼素')).includes('meat'))
  t.same(menu('no peanuts'), menuFor(readAllergies(['peanuts']), []))
  t.same(menu('不含麸质'), menuFor(readAllergies(['gluten']), []))
  t.equal(menu('low fat', 'chinese', 'tofu', 'frob').length, dishes.length, 'a positive preference excludes nothing')
  t.same(menu('不吃牛肉和羊肉'), menu('不吃牛肉', '不吃羊肉'))
  t.same(
    readPreferences(['no pork and beef, tofu']).map(({ word }) => word),
    ['no pork', 'no beef', 'tofu'],
  )
  t.ok(
    menu('no butter').some(({ foods }) => foods.some(({ id }) => id === 'milk')),
    'a food that a user prefers not to eat is not an allergen',
  )
  const idle = (word: string) => readPreferences([word]).map(isIdle)
  for (const word of ['low fat', '高蛋白', 'high fibre', '西餐', 'tofu', '鸡蛋', 'no pork'])
    t.same(idle(word), [false], word)
  for (const word of ['frob', 'no frob', '不吃什么什么']) t.same(idle(word), [true], word)
  const claims: Record<string, (dish: Dish) => boolean> = {
    'low fat': ({ figures, weight }) => figures.fat <= weight * 0.03,
    'high fibre': ({ figures, fibre }) => fibre >= figures.calories * 0.03,
    'high protein': ({ figures }) =>
      figures.protein * 4 >= 0.2 * (figures.protein * 4 + figures.carbs * 4 + figures.fat * 9),
  }
  for (const [word, holds] of Object.entries(claims)) {
    const fitting = dishes.filter((dish) => readPreferences([word]).every(({ fits }) => fits(dish)))
    t.ok(fitting.length > 0 && fitting.length < dishes.length, word)
    t.same(
      fitting.map(({ id }) => id),
      dishes.filter(holds).map(({ id }) => id),
      word,
    )
  }
})

t.test('nothing is recommended that a user must not or would not eat, and nothing beyond what is left', async () => {
  const eaten = fc.record(
    Object.fromEntries(figureNames.map((name) => [name, fc.nat({ max: name === 'calories' ? 22_000 : 1500 })])),
  ) as fc.Arbitrary<Figures>
  const asked = fc.record({
    allergies: fc.array(allergy, { maxLength: 4 }),
    wishes: fc.array(wish, { maxLength: 3 }),
    eaten,
    ahead: fc.nat({ max: 5 }),
  })
  check(
    fc.property(asked, ({ allergies, wishes, eaten, ahead }) => {
      const preferences = readPreferences(wishes)
      const menu = menuFor(readAllergies(allergies.map(({ word }) => word)), preferences)
      const options = { menu, preferences, eaten, ahead, target: 2000 }
      const found = recommend(options)
      const again = recommend({ ...options, menu: menu.toReversed() })
      return (
        found.length <= 10 &&
        found.every(({ dish }, index) => dish === again[index]?.dish) &&
        found.every(({ dish }) => dish.figures.calories + eaten.calories <= 20_000) &&
        found.every(({ dish }) =>
          dish.foods.every(({ allergens }) => !allergies.some(({ allergen }) => allergens.includes(allergen))),
        ) &&
        found.every(({ dish, fits }) =>
          preferences.every(({ strict, word, fits: is }) => (is(dish) ? fits.includes(word) : !strict)),
        )
      )
    }),
  )
})

t.test('a change that is found brings the day closer, and is reckoned right', async (t) => {
  const planned = fc.array(
    fc.record({
      dish: fc.constantFrom(...dishes),
      time: fc.constantFrom('07:30', '12:00', '15:00', '18:30'),
      status: fc.constantFrom<MealRecord['status']>('pending', 'current', 'done'),
    }),
    { minLength: 1, maxLength: 5 },
  )
  let changes = 0
  check(
    fc.property(planned, (list) => {
      const meals = list.map(
        ({ dish, time, status }, index): MealRecord => ({
          ...{ id: index + 1, time, status, name: dish.name, description: '', recipeId: dish.id, ownFigures: {} },
          version: '',
          ingredients: [...dish.ingredients],
        }),
      )
      const figuresOf = ({ ingredients }: MealRecord): Figures => mealFigures(ingredients, {}).figures
      const before = distanceOf(deviationsOf(addFigures(meals.map(figuresOf)), 2000))
      const swaps = findSwaps(meals, dishes, 2000)
      changes += swaps.length
      return swaps.every(({ dish, instead, day, distance }) => {
        const rest = meals.filter((meal) => meal !== instead).map(figuresOf)
        const real = addFigures([...rest, dish.figures])
        const fits = instead === null || (instead.status === 'pending' && dish.kinds.includes(kindAt(instead.time)))
        const isNew = list.every((each) => each.dish !== dish)
        return fits && isNew && distance < before && figureNames.every((name) => real[name] === day[name])
      })
    }),
    100,
  )
  t.ok(changes > 1000, `${changes} changes`)
})

t.test('a day is judged by how far it is off, and by what is known of it', async (t) => {
  const day = (calories: number, protein: number, carbs: number, fat: number): Figures => ({
    calories: calories * 10,
    protein: protein * 10,
    carbs: carbs * 10,
    fat: fat * 10,
  })
  const judge = (figures: Figures, complete = true) => assess(deviationsOf(figures, 2000), { planned: true, complete })
  const right = [75, 287, 60] as const
  t.equal(judge(day(2000, ...right)), 'good')
  t.equal(judge(day(1800, ...right)), 'good', 'ten per cent less is right')
  t.equal(judge(day(1799.9, ...right)), 'warning')
  t.equal(judge(day(1500, ...right)), 'warning')
  t.equal(judge(day(1499.9, ...right)), 'bad')
  t.equal(judge(day(2500.1, ...right)), 'bad')
  t.equal(judge(day(2000, ...right), false), 'warning', 'an unknown amount may be any amount')
  t.equal(judge(day(900, ...right), false), 'warning', 'it may yet be enough')
  t.equal(judge(day(2500.1, ...right), false), 'bad', 'it can only be more')
  t.equal(judge(day(2000, 75, 240, 82)), 'warning', '37 % fat')
  t.equal(judge(day(2000, 75, 180, 110)), 'bad', '49 % fat')
  t.equal(assess([], { planned: false, complete: true }), 'warning')
  t.same(
    deviationsOf(day(0, 0, 0, 0), 2000).map(({ of }) => of),
    ['calories'],
    'nothing has no shares',
  )
})

t.test('a user who planned no meals is recommended what fits three meals, without what they exclude', async (t) => {
  const now = Date.parse('2026-06-10T10:00:00Z')
  const s = await steward(t, { directory: 'none', now: () => now, env: { TIME_ZONE: 'Europe/Berlin' } })
  const [role] = await s.db.execute<{ id: string }>(sql`select id from roles where keyword = 'user'`)
  const { token } = await s.person('careful', { roleIds: [Number(role?.id)] })
  const allergies = ['severe peanut allergy', 'whole milk', 'frobium']
  const saved = await s.call('savePlan', { token, body: { date: '2026-06-10', meals: [], allergies } })
  t.equal(saved.code, 200)
  const recipes = (await s.call('listRecommendedRecipes', { token })).data as { id: number; suitable: string[] }[]
  const eaten = addFigures([])
  const menu = menuFor(readAllergies(allergies), [])
  t.same(
    recipes.map(({ id }) => id),
    recommend({ menu, preferences: [], eaten, ahead: 3, target: 2000 }).map(({ dish }) => dish.id),
  )
  t.equal(recipes.length, 10)
  for (const { suitable } of recipes) {
    t.same(
      suitable.filter((reason) => reason.startsWith('without')),
      ['without severe peanut', 'without whole milk'],
    )
  }
})
