import { type AllergenClass, allergenClasses } from '../allergens.ts'
import { findDish } from '../dishes.ts'
import type { Food } from '../food.ts'
import { foods } from '../foods/foods.ts'
import { shownNutrition } from '../plans/shown.ts'
import type { Recipe } from '../recipe.ts'
import { recipes } from '../recipes/recipes.ts'

/** A recipe with what one serving holds: kcal and grams. */
export interface ServedRecipe extends Pick<Recipe, 'id' | 'en' | 'zh' | 'description' | 'cuisine' | 'meals'> {
  calories: number
  nutrition: ReturnType<typeof shownNutrition>['nutrition']
  ingredients: { food: Food['id']; en: string; zh: string; amount: string }[]
  allergens: AllergenClass[]
}

const foodById = new Map(foods.map((food) => [food.id, food]))

const served = ({ id, en, zh, description, cuisine, meals, ingredients }: Recipe): ServedRecipe => {
  const dish = findDish(id)
  if (dish === null) throw new Error(`The recipe ${id} is not in the table of recipes`)
  const contained = new Set(dish.foods.flatMap(({ allergens }) => allergens))
  return {
    ...{ id, en, zh, description, cuisine, meals },
    ...shownNutrition(dish.figures),
    ingredients: ingredients.map(({ food, amount }) => {
      const { en: [english] = [food], zh: [chinese] = [food] } = foodById.get(food) ?? {}
      return { food, en: english, zh: chinese, amount }
    }),
    allergens: allergenClasses.filter((allergen) => contained.has(allergen)),
  }
}

/** All recipes, by their ids. */
export const servedRecipes: readonly ServedRecipe[] = recipes.map(served).sort((a, b) => a.id - b.id)
