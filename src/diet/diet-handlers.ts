import { localDays } from '../contract/cache/local-day.ts'
import type { Db } from '../db/client.ts'
import type { DietHandlers } from '../generated/diet.ts'
import { currentTime } from '../runtime/clock.ts'
import { mealsHandlers } from './meal-handlers.ts'
import { nutritionHandlers } from './nutrition-handlers.ts'
import { plansHandlers } from './plan-handlers.ts'
import { recipesHandlers } from './recipe-handlers.ts'

export interface DietOptions {
  db: Db
  config: {
    /** IANA name: where "today" is. */
    timeZone: string
    /** The target of a day, in kcal. */
    dailyCalories: number
  }
  /** Milliseconds since 1970; default: the host's clock. */
  now?: () => number
}

/** The operations of the diet module. */
export const dietHandlers = ({ db, config, now = currentTime }: DietOptions): DietHandlers => {
  const { timeZone, dailyCalories } = config
  const dayOf = localDays(timeZone)
  const today = (): string => dayOf(now()).date
  const shared = { db, today, dailyCalories }
  return {
    meals: mealsHandlers(shared),
    nutrition: nutritionHandlers(shared),
    plans: plansHandlers(shared),
    recipes: recipesHandlers(shared),
  }
}
