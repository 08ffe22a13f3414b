import type { CatalogueHandlers, components } from '../../generated/operations.ts'
import type { Food } from '../food.ts'
import { findFoods } from './food-search.ts'
import { findRecipes } from './recipe-search.ts'
import type { ServedRecipe } from './served-recipe.ts'

type Schemas = components['schemas']

/** Foods and recipes to choose from. They are data of the program: no query is made. */
export const catalogueHandlers = (): CatalogueHandlers => ({
  async searchFoods({ query }) {
    const found = findFoods(query)
    return { total: found.length, foods: pageOf(found, query).map(shownFood) }
  },

  async searchRecipes({ query }) {
    const found = findRecipes(query)
    return { total: found.length, recipes: pageOf(found, query).map(shownRecipe) }
  },
})

const pageOf = <T>(found: readonly T[], { pageNum, pageSize }: { pageNum: number; pageSize: number }): T[] =>
  found.slice((pageNum - 1) * pageSize, pageNum * pageSize)

const shownFood = ({ id, fdcId, en, zh, per100g, origin, allergens, ...weights }: Food): Schemas['Food'] => {
  const [[english, ...englishSynonyms], [chinese, ...chineseSynonyms]] = [en, zh]
  const { kcal, ...grams } = per100g
  return {
    ...{ id, fdcId, origin },
    ...{ en: english, zh: chinese, synonyms: { en: englishSynonyms, zh: chineseSynonyms } },
    per100g: { calories: kcal, ...grams },
    units: unitsOf(weights),
    allergens: [...allergens],
  }
}

/** The units whose weight is known. */
const unitsOf = ({
  density,
  pieceGrams,
  servingGrams,
}: Pick<Food, 'density' | 'pieceGrams' | 'servingGrams'>): Schemas['Food']['units'] => {
  const known: [Schemas['Food']['units'][number]['unit'], number | undefined][] = [
    ['g', 1],
    ['kg', 1000],
    ['ml', density],
    ['L', density === undefined ? undefined : Math.round(density * 1e6) / 1000],
    ['个', pieceGrams],
    ['只', pieceGrams],
    ['份', servingGrams],
  ]
  return known.flatMap(([unit, grams]) => (grams === undefined ? [] : [{ unit, grams }]))
}

const shownRecipe = ({ meals, ...recipe }: ServedRecipe): Schemas['CatalogueRecipe'] => ({
  ...recipe,
  meals: [...meals],
})
