import type { Food } from './food.ts'

export const mealKinds = ['breakfast', 'lunch', 'dinner', 'snack'] as const

export type MealKind = (typeof mealKinds)[number]

/** The origin of a dish. Other properties are computed from its ingredients. */
export type Cuisine = 'chinese' | 'western' | 'japanese' | 'korean' | 'indian' | 'southeast-asian'

/** A dish, by what goes into one serving of it; its nutrition and allergens are those of its ingredients. */
export interface Recipe {
  /** Stable, from 1. */
  id: number
  en: string
  zh: string
  description: { en: string; zh: string }
  cuisine: Cuisine
  meals: readonly MealKind[]
  /** Amounts of one serving: a number and g, kg, ml, L, 个, 只 or 份. */
  ingredients: readonly { food: Food['id']; amount: string }[]
}
