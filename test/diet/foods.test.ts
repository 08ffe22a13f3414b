import t from 'tap'
import { type AllergenClass, allergenClasses, allergenNames } from '../../src/diet/allergens.ts'
import { findDish } from '../../src/diet/dishes.ts'
import { parseAmount } from '../../src/diet/figures/amount.ts'
import { gramsOf } from '../../src/diet/figures/grams.ts'
import type { Food } from '../../src/diet/food.ts'
import { foods } from '../../src/diet/foods/foods.ts'
import { findFood, nameKey } from '../../src/diet/names/food-names.ts'
import { mealKinds, type Recipe } from '../../src/diet/recipe.ts'
import { recipes } from '../../src/diet/recipes/recipes.ts'

const foodById = new Map(foods.map((food) => [food.id, food]))

const foodsIn = ({ ingredients }: Recipe): Food[] =>
  ingredients.flatMap(({ food }) => {
    const found = foodById.get(food)
    return found === undefined ? [] : [found]
  })

const repeated = <T>(values: readonly T[]): T[] => values.filter((value, index) => values.indexOf(value) !== index)

const idsOf = (things: readonly { id: number | string }[]): (number | string)[] => things.map(({ id }) => id)

const isBetween = (value: number, least: number, max: number): boolean => value >= least && value <= max

const classesOfWord = (word: string): AllergenClass[] =>
  allergenClasses.filter((each) => [...allergenNames[each].en, ...allergenNames[each].zh].includes(word))

t.test('there are foods enough, each with an id, an entry of the source and names of its own', async (t) => {
  t.ok(foods.length >= 250, `${foods.length} foods`)
  t.strictSame(repeated(idsOf(foods)), [])
  t.strictSame(repeated(foods.map(({ fdcId }) => fdcId)), [])
  t.strictSame(repeated(foods.flatMap(({ en }) => en).map(nameKey)), [])
  t.strictSame(repeated(foods.flatMap(({ zh }) => zh).map(nameKey)), [])
  t.strictSame(idsOf(foods.filter(({ id }) => !/^[a-z]+(-[a-z0-9]+)*$/.test(id))), [])
  t.strictSame(idsOf(foods.filter(({ fdcId }) => !Number.isInteger(fdcId) || !isBetween(fdcId, 167_512, 175_304))), [])
})

t.test('names are in their own script, without blanks around them', async (t) => {
  t.strictSame(
    foods.flatMap(({ en }) => en).filter((name) => !/^[A-Za-z0-9]([ -~]*[A-Za-z0-9)%])?$/.test(name)),
    [],
  )
  t.strictSame(
    foods.flatMap(({ zh }) => zh).filter((name) => !/^[\p{Script=Han}\d%]+$/u.test(name)),
    [],
  )
})

t.test('the energy of a food is that of its protein, carbohydrate, fat and fibre', async (t) => {
  const isOff = ({ per100g: { kcal, protein, carbs, fat, fibre } }: Food): boolean => {
    const reckoned = 4 * protein + 4 * (carbs - fibre) + 9 * fat + 2 * fibre
    return Math.abs(kcal - reckoned) > kcal * 0.3 + 5
  }
  t.strictSame(idsOf(foods.filter(isOff)), [])
})

t.test('100 g of a food are made of no more than 100 g', async (t) => {
  const isOff = ({ per100g: { kcal, protein, carbs, fat, fibre } }: Food): boolean =>
    [kcal, protein, carbs, fat, fibre].some((figure) => !(figure >= 0)) ||
    kcal > 902 ||
    fibre > carbs ||
    protein + carbs + fat > 100.5
  t.strictSame(idsOf(foods.filter(isOff)), [])
})

t.test('a millilitre, a piece and a portion of a food weigh what they can', async (t) => {
  const weigh = (weight: 'density' | 'pieceGrams' | 'servingGrams', least: number, max: number) =>
    idsOf(foods.filter(({ [weight]: grams = least }) => !isBetween(grams, least, max)))
  t.strictSame(weigh('density', 0.1, 1.5), [])
  t.strictSame(weigh('pieceGrams', 1, 1000), [])
  t.strictSame(weigh('servingGrams', 5, 500), [])
})

t.test('every class of allergens occurs, and each food lists its own in their order', async (t) => {
  t.strictSame(
    allergenClasses.filter((each) => !foods.some(({ allergens }) => allergens.includes(each))),
    [],
  )
  for (const { id, allergens } of foods) {
    const inOrder = allergenClasses.filter((each) => allergens.includes(each))
    if (inOrder.join() !== allergens.join()) t.fail(`${id} lists ${allergens}`)
  }
})

t.test('a food contains the allergens that it customarily has, and no more', async (t) => {
  const known: Readonly<Record<string, AllergenClass[]>> = {
    'soy sauce': ['gluten', 'soybeans'],
    tamari: ['soybeans'],
    'oyster sauce': ['gluten', 'soybeans', 'molluscs'],
    'fish sauce': ['fish'],
    'hoisin sauce': ['gluten', 'soybeans', 'sesame'],
    tahini: ['sesame'],
    'sesame oil': ['sesame'],
    'peanut butter': ['peanuts'],
    marzipan: ['nuts'],
    mayonnaise: ['eggs', 'mustard'],
    mustard: ['mustard'],
    'crab sticks': ['gluten', 'crustaceans', 'eggs', 'fish'],
    'egg noodles': ['gluten', 'eggs'],
    oats: ['gluten'],
    barley: ['gluten'],
    buckwheat: [],
    'oyster mushroom': [],
    'pine nuts': [],
    coconut: [],
    'coconut milk': [],
    chestnuts: [],
    'water chestnut': [],
    butter: ['milk'],
    'soy milk': ['soybeans'],
    squid: ['molluscs'],
    shrimp: ['crustaceans'],
    salmon: ['fish'],
    celery: ['celery'],
    'dried apricots': ['sulphites'],
  }
  for (const [name, allergens] of Object.entries(known)) {
    t.strictSame(findFood(name)?.allergens, allergens, name)
  }
})

t.test('a food of an animal contains the allergens of its kind', async (t) => {
  const seafood: readonly AllergenClass[] = ['crustaceans', 'fish', 'molluscs']
  const ofSeafood = foods.filter(({ allergens }) => allergens.some((each) => seafood.includes(each)))
  t.strictSame(idsOf(foods.filter((food) => food.origin === 'seafood' && !ofSeafood.includes(food))), [])
  t.strictSame(idsOf(ofSeafood.filter(({ origin }) => origin === 'plant' || origin === 'dairy-egg')), [])
})

t.test('an allergy has many names', async (t) => {
  t.strictSame(classesOfWord('shellfish'), ['crustaceans', 'molluscs'])
  t.strictSame(classesOfWord('海鲜'), ['crustaceans', 'fish', 'molluscs'])
  t.strictSame(classesOfWord('花生'), ['peanuts'])
  t.strictSame(classesOfWord('乳制品'), ['milk'])
  t.strictSame(classesOfWord('dairy'), ['milk'])
  t.strictSame(classesOfWord('wheat'), ['gluten'])
  for (const each of allergenClasses) {
    const { en, zh } = allergenNames[each]
    t.ok(en.includes(each), `${each} is a name of itself`)
    t.ok(zh.length > 0, `${each} has a name in Chinese`)
    t.strictSame(
      [...en, ...zh].filter((name) => name !== name.toLowerCase().trim()),
      [],
    )
    t.strictSame(repeated([...en, ...zh]), [])
  }
})

t.test('recipes are made of foods of the table, in amounts that can be weighed', async (t) => {
  t.ok(recipes.length >= 60, `${recipes.length} recipes`)
  t.strictSame(
    [...idsOf(recipes)].sort((a, b) => Number(a) - Number(b)),
    recipes.map((_, index) => index + 1),
  )
  t.strictSame(repeated(recipes.map(({ en }) => nameKey(en))), [])
  t.strictSame(repeated(recipes.map(({ zh }) => nameKey(zh))), [])
  for (const { id, ingredients } of recipes) {
    for (const { food: name, amount } of ingredients) {
      const [food, parsed] = [foodById.get(name), parseAmount(amount)]
      if (!food || !parsed || gramsOf(parsed, food) === null) t.fail(`recipe ${id} needs ${amount} of ${name}`)
    }
    t.strictSame(repeated(ingredients.map(({ food }) => food)), [])
  }
})

t.test('one serving of a recipe is a meal or a snack', async (t) => {
  const tenthsOf = ({ id }: Recipe): number => findDish(id)?.figures.calories ?? 0
  t.strictSame(idsOf(recipes.filter((recipe) => !isBetween(tenthsOf(recipe), 800, 12_000))), [])
})

t.test('there is something for every meal and every person', async (t) => {
  const count = (suits: (recipe: Recipe) => boolean): number => recipes.filter(suits).length
  const isOf = (recipe: Recipe, ...origins: Food['origin'][]): boolean =>
    foodsIn(recipe).every(({ origin }) => origins.includes(origin))
  for (const kind of mealKinds) t.ok(count(({ meals }) => meals.includes(kind)) >= 10, kind)
  t.ok(count((recipe) => foodsIn(recipe).every(({ allergens }) => allergens.length === 0)) >= 15, 'no allergens')
  t.ok(count((recipe) => isOf(recipe, 'plant', 'dairy-egg')) >= 15, 'vegetarian')
  t.ok(count((recipe) => isOf(recipe, 'plant')) >= 8, 'vegan')
})
