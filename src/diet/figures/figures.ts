import type { Food, Nutrients } from '../food.ts'
import { findFood } from '../names/food-names.ts'
import { parseAmount } from './amount.ts'
import { decimal, type Fraction, plus, rounded, times, zero } from './fraction.ts'
import { gramsOf } from './grams.ts'

export const figureNames = ['calories', 'protein', 'carbs', 'fat'] as const

export type FigureName = (typeof figureNames)[number]

/** kcal and grams in tenths, whole numbers: what is shown is what is added up. */
export type Figures = Readonly<Record<FigureName, number>>

export interface Ingredient {
  name: string
  amount: string
}

const nutrientOf = { calories: 'kcal', protein: 'protein', carbs: 'carbs', fat: 'fat' } as const satisfies Record<
  FigureName,
  keyof Nutrients
>

/** The sum of a list of ingredients, as far as their figures are known. */
export interface Computed {
  exact: Readonly<Record<FigureName, Fraction>>
  /** Names of the ingredients without figures, in their order. */
  unknown: string[]
}

export const compute = (ingredients: readonly Ingredient[]): Computed => {
  const weighed = ingredients.map((ingredient) => ({ ...ingredient, portion: weigh(ingredient) }))
  const portions = weighed.flatMap(({ portion }) => portion ?? [])
  const sum = (name: FigureName): Fraction =>
    portions.reduce((total, { food, grams }) => plus(total, nutrientIn(food, grams, nutrientOf[name])), zero)
  return {
    exact: eachFigure(sum),
    unknown: weighed.filter(({ portion }) => portion === null).map(({ name }) => name),
  }
}

/** The figures of exact sums: rounded once, half up. */
export const roundFigures = (exact: Computed['exact']): Figures =>
  eachFigure((name) => rounded(times(exact[name], ten)))

export const addFigures = (list: readonly Figures[]): Figures =>
  eachFigure((name) => list.reduce((total, figures) => total + figures[name], 0))

/** Figures as answers write them: to one decimal. */
export const shownFigures = (figures: Figures): Record<FigureName, number> => eachFigure((name) => figures[name] / 10)

/** Grams of a nutrient (or kcal) in so many grams of a food. */
export const nutrientIn = ({ per100g }: Food, grams: Fraction, nutrient: keyof Nutrients): Fraction =>
  times(times(grams, decimal(String(per100g[nutrient]))), hundredth)

export const eachFigure = <T>(value: (name: FigureName) => T): Record<FigureName, T> => ({
  calories: value('calories'),
  protein: value('protein'),
  carbs: value('carbs'),
  fat: value('fat'),
})

const ten = decimal('10')
const hundredth = decimal('0.01')

/** null: the food is unknown, or the weight of the amount is. */
const weigh = ({ name, amount }: Ingredient): { food: Food; grams: Fraction } | null => {
  const food = findFood(name)
  const parsed = parseAmount(amount)
  const grams = food && parsed && gramsOf(parsed, food)
  return food && grams && { food, grams }
}
