import type { AllergenClass } from '../allergens.ts'
import { nameKey } from '../names/food-names.ts'
import { matchOf } from './match.ts'
import { type ServedRecipe, servedRecipes } from './served-recipe.ts'

export interface RecipeFilter {
  /** Part of the recipe's name or of an ingredient's; empty: every recipe. */
  q?: string
  /** Recipes with any of these are left out. */
  without?: readonly AllergenClass[]
  /** kcal in a serving. */
  maxCalories?: number
}

const indexed = servedRecipes.map((recipe) => ({
  recipe,
  names: [recipe.en, recipe.zh].map(nameKey),
  ingredients: recipe.ingredients.flatMap(({ en, zh }) => [en, zh]).map(nameKey),
}))

/** More than any match of the recipe's own name. */
const behindNames = 10

/** The recipes that pass the filter: matches of the name before those of an ingredient, equal ones by their ids. */
export const findRecipes = ({ q = '', without = [], maxCalories }: RecipeFilter): ServedRecipe[] => {
  const wanted = nameKey(q)
  const rankOf = ({ names, ingredients }: (typeof indexed)[number]): number | null => {
    const own = matchOf(wanted, names)
    if (own !== null) return own
    const within = matchOf(wanted, ingredients)
    return within === null ? null : behindNames + within
  }
  return indexed
    .filter(({ recipe: { allergens } }) => !without.some((allergen) => allergens.includes(allergen)))
    .filter(({ recipe: { calories } }) => maxCalories === undefined || calories <= maxCalories)
    .map((entry) => ({ recipe: entry.recipe, rank: rankOf(entry) }))
    .filter(({ rank }) => rank !== null)
    .sort((a, b) => Number(a.rank) - Number(b.rank) || a.recipe.id - b.recipe.id)
    .map(({ recipe }) => recipe)
}
