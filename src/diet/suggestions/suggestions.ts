import type { Statement } from '../../failures/statement.ts'
import { type Macronutrient, shareOf } from '../figures/energy.ts'
import type { Figures } from '../figures/figures.ts'
import { type Deviation, gramsAt, recommendedShares } from '../figures/target.ts'
import { statements } from '../statements.ts'
import type { Swap } from './swaps.ts'

export interface SuggestionsOptions {
  day: Figures
  deviations: readonly Deviation[]
  /** Possible improvements, the best first. */
  swaps: readonly Swap[]
  /** kcal */
  target: number
  /** Names of ingredients without figures. */
  unknown: readonly string[]
}

/** The problems of a day, each with its figures, and with a recipe that solves it if there is one. */
export const suggestionsFor = ({ day, deviations, swaps, target, unknown }: SuggestionsOptions): Statement[] => {
  const mends = (deviation: Deviation): Swap | undefined =>
    swaps.find((swap) => swap.deviations.every(({ of }) => of !== deviation.of))
  const found = deviations.map((deviation) => {
    const swap = mends(deviation)
    const finding = findingOf(deviation, day, target)
    return swap === undefined ? finding : statements.with_change({ finding, change: changeOf(swap) })
  })
  const [best] = swaps
  // No single change solves a problem: then the one that comes closest.
  if (best !== undefined && !deviations.some(mends)) found.push(statements.helps_most({ change: changeOf(best) }))
  if (unknown.length > 0) found.push(statements.nothing_known({ names: unknown.join(', ') }))
  return found
}

const shares: Readonly<Record<Macronutrient, typeof statements.protein_share>> = {
  protein: statements.protein_share,
  carbs: statements.carbs_share,
  fat: statements.fat_share,
}

const findingOf = ({ of, by }: Deviation, day: Figures, target: number): Statement => {
  const calories = day.calories / 10
  if (of === 'calories') {
    const apart = tenths(Math.abs(calories - target))
    const values = { calories, apart, share: tenths(Math.abs(by)), target }
    return by < 0 ? statements.less_calories(values) : statements.more_calories(values)
  }
  const { min, max } = recommendedShares[of]
  const [least, most] = [gramsAt(calories, min, of), gramsAt(calories, max, of)]
  return shares[of]({ share: shareIn(day, of), grams: day[of] / 10, min, max, least, most })
}

const changeOf = ({ dish, instead, day }: Swap): Statement => {
  const values = {
    ...{ id: dish.id, name: dish.name, calories: dish.figures.calories / 10, total: day.calories / 10 },
    ...{ protein: shareIn(day, 'protein'), carbs: shareIn(day, 'carbs'), fat: shareIn(day, 'fat') },
  }
  return instead === null
    ? statements.add_recipe(values)
    : statements.swap_recipe({ ...values, meal: instead.name, time: instead.time })
}

const shareIn = (day: Figures, nutrient: Macronutrient): number => tenths(shareOf(day, nutrient) ?? 0)

const tenths = (value: number): number => Math.round(value * 10) / 10
