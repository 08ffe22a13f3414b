import type { FieldProblem } from '../../failures/errors.ts'
import type { components } from '../../generated/operations.types.ts'
import { findDish, servingsOf } from '../dishes.ts'
import { compute, type Figures, type Ingredient, roundFigures } from '../figures/figures.ts'
import { decimal } from '../figures/fraction.ts'
import { type Basis, coverageOf, distinct, mealFigures } from '../figures/meal-figures.ts'
import { findFood } from '../names/food-names.ts'
import { requestedIngredients } from '../plans/requested.ts'
import { shownNutrition } from '../plans/shown.ts'
import { reasons } from '../reasons.ts'
import type { Screening } from '../wishes/screening.ts'

type Schemas = components['schemas']

/** A meal that is not saved, with its figures and what is wrong with it. */
export interface Draft {
  ingredients: Ingredient[]
  figures: Figures
  basis: Basis
  unknown: readonly string[]
  problems: FieldProblem[]
  refused: Schemas['RefusedIngredient'][]
}

/** @param field the path of the meal */
export const readDraft = (meal: Schemas['DraftMeal'], field: string, screening: Screening): Draft => {
  const { value, problems } = ingredientsOf(meal, field)
  const { figures, unknown, basis } = mealFigures(value, meal.ownFigures ?? {})
  const isRecipe = meal.recipeId !== undefined
  const fieldOf = (index: number): string => `${field}.${isRecipe ? 'recipeId' : `ingredients.${index}.name`}`
  return {
    ...{ ingredients: value, figures, basis, problems },
    unknown: distinct(unknown).filter((name) => name !== ''),
    refused: value.flatMap(({ name }, index) => refusalOf(name, fieldOf(index), screening)),
  }
}

export const shownDraft = ({ ingredients, figures, basis, unknown }: Draft): Schemas['DraftFigures'] => ({
  ...shownNutrition(figures),
  coverage: coverageOf(basis),
  unknownIngredients: [...unknown],
  ingredients: ingredients.map((ingredient) => {
    const { exact, unknown } = compute([ingredient])
    return { isKnown: unknown.length === 0, calories: shownNutrition(roundFigures(exact)).calories }
  }),
})

const ingredientsOf = (
  { ingredients = [], recipeId, servings = 1 }: Schemas['DraftMeal'],
  field: string,
): { value: Ingredient[]; problems: FieldProblem[] } => {
  if (recipeId === undefined) {
    const { value, problems } = requestedIngredients(ingredients, `${field}.ingredients`)
    const isBegun = (problem: FieldProblem): boolean => {
      const { name, amount } = ingredients[Number(problem.field.split('.').at(-2))] ?? { name: '', amount: '' }
      return name.trim() === '' || amount.trim() === ''
    }
    return { value, problems: problems.filter((problem) => !isBegun(problem)) }
  }
  const dish = findDish(recipeId)
  if (dish === null) {
    return { value: [], problems: [reasons.recipe_not_found.problem(`${field}.recipeId`, { id: recipeId })] }
  }
  return { value: servingsOf(dish, decimal(servings.toFixed(2))), problems: [] }
}

const refusalOf = (ingredient: string, field: string, { find }: Screening): Schemas['RefusedIngredient'][] => {
  const finding = find(ingredient)
  if (finding.kind !== 'contains') return []
  const { word, allergen, proof } = finding
  const food = findFood(ingredient)
  return [
    {
      ...{ field, ingredient, word, proof },
      ...(food !== null && { food: { en: food.en[0], zh: food.zh[0] } }),
      ...(allergen !== null && { allergen }),
    },
  ]
}
