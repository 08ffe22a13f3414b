import { amountText, parseAmount, scaled } from './figures/amount.ts'
import { compute, type Figures, type Ingredient, nutrientIn, roundFigures } from './figures/figures.ts'
import { type Fraction, fraction, plus, rounded, times, zero } from './figures/fraction.ts'
import { gramsOf } from './figures/grams.ts'
import type { Food } from './food.ts'
import { foods } from './foods/foods.ts'
import { singularKey } from './names/food-names.ts'
import { phrasesOf } from './names/food-phrases.ts'
import { phrasesIn } from './names/phrases.ts'
import type { MealKind, Recipe } from './recipe.ts'
import { recipes } from './recipes/recipes.ts'

/** A recipe with the figures of one serving. */
export interface Dish {
  id: number
  /** In Chinese and English. */
  name: string
  description: string
  cuisine: Recipe['cuisine']
  kinds: readonly MealKind[]
  ingredients: readonly Ingredient[]
  foods: readonly Food[]
  /** The phrases by which a wish can mean it: all in its name and in those of its foods. */
  phrases: ReadonlySet<string>
  figures: Figures
  /** Of one serving, in tenths of a gram. */
  weight: number
  fibre: number
}

const ten = fraction(10n)

const foodById = new Map(foods.map((food) => [food.id, food]))

const foodOf = (id: string): Food => {
  const food = foodById.get(id)
  if (food === undefined) throw new Error(`The recipes need a food ${id} that the table does not have`)
  return food
}

const toDish = ({ id, zh, en, description, cuisine, meals, ingredients: written }: Recipe): Dish => {
  const ingredients = written.map(({ food, amount }) => ({ name: foodOf(food).zh[0], amount }))
  const portions = written.flatMap(({ food, amount }) => {
    const parsed = parseAmount(amount)
    const grams = parsed && gramsOf(parsed, foodOf(food))
    return grams ? { food: foodOf(food), grams } : []
  })
  const used = written.map(({ food }) => foodOf(food))
  const tenths = (grams: Fraction[]): number => rounded(times(grams.reduce(plus, zero), ten))
  return {
    id,
    name: `${zh} (${en})`,
    description: `${description.zh} ${description.en}`,
    cuisine,
    kinds: meals,
    ingredients,
    foods: used,
    phrases: new Set([
      ...[zh, en].flatMap((name) => [...phrasesIn(singularKey(name))]),
      ...used.flatMap((food) => [...phrasesOf(food)]),
    ]),
    figures: roundFigures(compute(ingredients).exact),
    weight: tenths(portions.map(({ grams }) => grams)),
    fibre: tenths(portions.map(({ food, grams }) => nutrientIn(food, grams, 'fibre'))),
  }
}

/** All recipes there are, by their ids. */
export const dishes: readonly Dish[] = recipes.map(toDish).sort((a, b) => a.id - b.id)

const dishById = new Map(dishes.map((dish) => [dish.id, dish]))

/** null: the recipe does not exist. */
export const findDish = (id: number): Dish | null => dishById.get(id) ?? null

/** The ingredients of so many servings. */
export const servingsOf = (dish: Dish, servings: Fraction): Ingredient[] =>
  dish.ingredients.map(({ name, amount }) => {
    const parsed = parseAmount(amount)
    return { name, amount: parsed ? amountText(scaled(parsed, servings)) : amount }
  })
