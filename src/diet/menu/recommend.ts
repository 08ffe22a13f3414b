import type { Dish } from '../dishes.ts'
import { addFigures, type Figures } from '../figures/figures.ts'
import { type Deviation, deviationsOf, distanceOf } from '../figures/target.ts'
import type { Preference } from '../wishes/preferences.ts'

export interface RecommendOptions {
  /** The candidates: without allergens, and not planned recently. */
  menu: readonly Dish[]
  preferences: readonly Preference[]
  /** The figures of today's done and current meals, which can no longer be changed. */
  eaten: Figures
  /** Meals that are still to come. */
  ahead: number
  /** What the day should have, in kcal. */
  target: number
}

/** A dish, and the reasons for it. */
export interface Recommendation {
  dish: Dish
  /** Words of the preferences that it fits. */
  fits: string[]
}

const max = 10

/**
 * The dishes that fit into what is left of a day, the best first: those that fit most preferences, then those that come
 * closest to an even share of the calories that are left and bring what is eaten closest to the shares it should have.
 */
export const recommend = ({ menu, preferences, eaten, ahead, target }: RecommendOptions): Recommendation[] => {
  const left = target - eaten.calories / 10
  const share = left / Math.max(1, ahead)
  const cost = ({ figures }: Dish): number => {
    const missed = Math.abs(figures.calories / 10 - share) / share
    return missed + distanceOf(deviationsOf(addFigures([eaten, figures]), target).filter(isShare))
  }
  return menu
    .filter(({ figures }) => figures.calories / 10 <= left)
    .map((dish) => ({
      dish,
      fits: preferences.filter(({ fits }) => fits(dish)).map(({ word }) => word),
      cost: cost(dish),
    }))
    .sort((a, b) => b.fits.length - a.fits.length || a.cost - b.cost || a.dish.id - b.dish.id)
    .slice(0, max)
    .map(({ dish, fits }) => ({ dish, fits }))
}

/** The calories of a day that is not over are not compared. */
const isShare = ({ of }: Deviation): boolean => of !== 'calories'
