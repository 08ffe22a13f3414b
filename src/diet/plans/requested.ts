import type { FieldProblem } from '../../failures/errors.ts'
import type { components } from '../../generated/diet.types.ts'
import { findDish, servingsOf } from '../dishes.ts'
import { amountText, parseAmount } from '../figures/amount.ts'
import type { Ingredient } from '../figures/figures.ts'
import { decimal } from '../figures/fraction.ts'
import { reasons } from '../reasons.ts'
import type { Screening } from '../wishes/screening.ts'
import type { NewMeal } from './save-plan.ts'

type Schemas = components['schemas']

/** The schema allows the fields of both forms; this file decides which form it is. */
type PlannedMeal = { time: string } & Partial<Schemas['WrittenMeal'] & Schemas['RecipeMeal']>

/** The requested value in the form to be stored, or its problems. */
export interface Requested<T> {
  value: T
  problems: FieldProblem[]
}

/** Ingredients with their amounts in the document's units. @param field the path they came by */
export const requestedIngredients = (ingredients: readonly Ingredient[], field: string): Requested<Ingredient[]> => {
  const problems: FieldProblem[] = []
  const value = ingredients.map(({ name, amount }, index) => {
    const parsed = parseAmount(amount)
    if (parsed !== null) return { name, amount: amountText(parsed) }
    problems.push(reasons.amount.problem(`${field}.${index}.amount`, { item: name }))
    return { name, amount }
  })
  return { value, problems }
}

/** A meal of a plan, written out or by its recipe. */
export const requestedMeal = (meal: PlannedMeal, field: string): Requested<NewMeal> =>
  meal.recipeId === undefined ? writtenMeal(meal, field) : recipeMeal(meal, meal.recipeId, field)

/** The ingredients that contain an allergen, each with the reason. */
export const allergenProblems = (
  ingredients: readonly Ingredient[],
  field: string,
  { find }: Screening,
): FieldProblem[] =>
  ingredients.flatMap(({ name }, index) => {
    const finding = find(name)
    return finding.kind === 'contains'
      ? [reasons.allergen.problem(`${field}.${index}.name`, { proof: finding.proof })]
      : []
  })

const writtenMeal = (meal: PlannedMeal, field: string): Requested<NewMeal> => {
  const { time, name = '', description = '', ingredients = [], calories, nutrition = {}, servings, fromRecipe } = meal
  const { value, problems } = requestedIngredients(ingredients, `${field}.ingredients`)
  for (const required of ['name', 'ingredients'] as const) {
    if (meal[required] === undefined) {
      problems.push(reasons.required_without_recipe.problem(`${field}.${required}`))
    }
  }
  if (servings !== undefined) problems.push(reasons.only_with_recipe.problem(`${field}.servings`))
  if (fromRecipe !== undefined && findDish(fromRecipe) === null) {
    problems.push(reasons.recipe_not_found.problem(`${field}.fromRecipe`, { id: fromRecipe }))
  }
  const ownFigures = { ...nutrition, ...(calories !== undefined && { calories }) }
  return { value: { time, name, description, ingredients: value, ownFigures, recipeId: fromRecipe ?? null }, problems }
}

const writtenFields = ['name', 'description', 'ingredients', 'calories', 'nutrition', 'fromRecipe'] as const

const recipeMeal = (meal: PlannedMeal, recipeId: number, field: string): Requested<NewMeal> => {
  const dish = findDish(recipeId)
  const problems = writtenFields
    .filter((name) => meal[name] !== undefined)
    .map((name) => reasons.not_with_recipe.problem(`${field}.${name}`))
  if (dish === null) problems.push(reasons.recipe_not_found.problem(`${field}.recipeId`, { id: recipeId }))
  const ingredients = dish === null ? [] : servingsOf(dish, decimal((meal.servings ?? 1).toFixed(2)))
  const { name = '', description = '' } = dish ?? {}
  return { value: { time: meal.time, name, description, ingredients, ownFigures: {}, recipeId }, problems }
}
