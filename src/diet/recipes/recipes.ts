import type { Recipe } from '../recipe.ts'

export const recipes: readonly Recipe[] = []
