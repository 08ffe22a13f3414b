import type { components } from '../../generated/diet.types.ts'
import { findDish } from '../dishes.ts'
import { addFigures, type Figures, shownFigures } from '../figures/figures.ts'
import { addBases, coverageOf, distinct, mealFigures } from '../figures/meal-figures.ts'
import { isByName } from '../wishes/allergies.ts'
import { isIdle, readPreferences } from '../wishes/preferences.ts'
import type { Screening } from '../wishes/screening.ts'
import type { MealRecord, PlanRecord } from './plan-records.ts'

type Schemas = components['schemas']

/** Calories and nutrition as answers write them. */
export const shownNutrition = (figures: Figures): { calories: number; nutrition: Schemas['Nutrition'] } => {
  const { calories, ...nutrition } = shownFigures(figures)
  return { calories, nutrition }
}

/** A meal as answers show it. @param screening by the allergies of its plan */
export const shownMeal = (meal: MealRecord, screening: Screening): Schemas['Meal'] => {
  const { ownFigures, recipeId, ...shown } = meal
  const { figures, unknown, own, basis } = mealFigures(meal.ingredients, ownFigures)
  return {
    ...shown,
    ...shownNutrition(figures),
    coverage: coverageOf(basis),
    unknownIngredients: distinct(unknown),
    ownFigures: own,
    notExcluded: notExcluded([meal], screening),
    // One that is no longer in the table of recipes would be refused when the plan is saved again.
    ...(recipeId !== null && findDish(recipeId) !== null && { fromRecipe: recipeId }),
  }
}

/** The sums of all meals of a plan. */
export const sumMeals = (meals: readonly Pick<MealRecord, 'ingredients' | 'ownFigures'>[]) => {
  const parts = meals.map(({ ingredients, ownFigures }) => mealFigures(ingredients, ownFigures))
  return {
    figures: addFigures(parts.map(({ figures }) => figures)),
    basis: addBases(parts.map(({ basis }) => basis)),
    unknown: distinct(parts.flatMap(({ unknown }) => unknown)),
  }
}

/** A plan as answers show it. @param screening by the allergies of the plan */
export const shownPlan = ({ meals, ...plan }: PlanRecord, screening: Screening): Schemas['MealPlan'] => {
  const { figures, basis, unknown } = sumMeals(meals)
  const { calories, nutrition } = shownNutrition(figures)
  return {
    ...plan,
    meals: meals.map((meal) => shownMeal(meal, screening)),
    totalCalories: calories,
    nutrition,
    coverage: coverageOf(basis),
    unknownIngredients: unknown,
    warnings: warningsOf(meals, plan.preferences, screening),
  }
}

/** What the user should know about the allergies and preferences of a plan. */
export const warningsOf = (
  meals: readonly Pick<MealRecord, 'ingredients'>[],
  preferences: readonly string[],
  screening: Screening,
): string[] => [...allergyWarnings(meals, screening), ...preferenceWarnings(preferences)]

/** Names of ingredients that may or may not contain an allergen. */
const notExcluded = (meals: readonly Pick<MealRecord, 'ingredients'>[], { find }: Screening): string[] =>
  distinct(meals.flatMap(({ ingredients }) => ingredients.map(({ name }) => name))).filter(
    (name) => find(name).kind === 'not excluded',
  )

const allergyWarnings = (meals: readonly Pick<MealRecord, 'ingredients'>[], screening: Screening): string[] => {
  const unknown = notExcluded(meals, screening)
  return [
    ...screening.allergies
      .filter(isByName)
      .map(
        ({ word }) =>
          `allergies: ${word} is none of the 14 classes of allergens; only foods that say it by their names are refused`,
      ),
    ...(unknown.length === 0
      ? []
      : [`allergens cannot be excluded in ${unknown.join(', ')}: the table of foods does not know what is in there`]),
  ]
}

const preferenceWarnings = (preferences: readonly string[]): string[] =>
  readPreferences(preferences)
    .filter(isIdle)
    .map(({ word }) => `preferences: ${word} fits no recipe here, so it changes nothing`)
