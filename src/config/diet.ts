import type { Variables } from './variables.ts'

export interface DietConfig {
  /** DIET_DAILY_CALORIES: the target of a day, in kcal. */
  dailyCalories: number
}

/** What the diet module needs. */
export const readDiet = ({ integer }: Variables): DietConfig => ({
  dailyCalories: integer('DIET_DAILY_CALORIES', 2000, 800, 10_000),
})
