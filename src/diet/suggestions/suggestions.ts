import { type Macronutrient, shareOf } from '../figures/energy.ts'
import type { Figures } from '../figures/figures.ts'
import { type Deviation, gramsAt, recommendedShares } from '../figures/target.ts'
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
export const suggestionsFor = ({ day, deviations, swaps, target, unknown }: SuggestionsOptions): string[] => {
  const mends = (deviation: Deviation): Swap | undefined =>
    swaps.find((swap) => swap.deviations.every(({ of }) => of !== deviation.of))
  const found = deviations.map((deviation) => {
    const swap = mends(deviation)
    return [findingText(deviation, day, target), ...(swap ? [swapText(swap)] : [])].join(' ')
  })
  const [best] = swaps
  // No single change solves a problem: then the one that comes closest.
  if (best !== undefined && !deviations.some(mends)) found.push(`What helps most: ${swapText(best)}`)
  if (unknown.length > 0) found.push(`Nothing is known of ${unknown.join(', ')}: the figures are without it.`)
  return found
}

const nutrientNames: Readonly<Record<Macronutrient, string>> = {
  protein: 'Protein',
  carbs: 'Carbohydrate',
  fat: 'Fat',
}

const findingText = ({ of, by }: Deviation, day: Figures, target: number): string => {
  const calories = day.calories / 10
  if (of === 'calories') {
    const apart = `${tenths(Math.abs(calories - target))} kcal (${tenths(Math.abs(by))} %)`
    return `The day has ${calories} kcal, ${apart} ${by < 0 ? 'less' : 'more'} than the ${target} kcal it should have.`
  }
  const { min, max } = recommendedShares[of]
  const grams = `${gramsAt(calories, min, of)}–${gramsAt(calories, max, of)} g`
  return `${nutrientNames[of]} gives ${shareText(day, of)} of the energy (${day[of] / 10} g); it should be ${min}–${max} %, about ${grams}.`
}

const swapText = ({ dish, instead, day }: Swap): string => {
  const what = `recipe ${dish.id}, ${dish.name}, ${dish.figures.calories / 10} kcal`
  const how = instead === null ? `Add ${what}` : `Instead of ${instead.name} at ${instead.time} have ${what}`
  const shares = (['protein', 'carbs', 'fat'] as const).map((each) => `${shareText(day, each)} ${each}`).join(', ')
  return `${how}: then the day has ${day.calories / 10} kcal, with ${shares}.`
}

const shareText = (day: Figures, nutrient: Macronutrient): string => `${tenths(shareOf(day, nutrient) ?? 0)} %`

const tenths = (value: number): number => Math.round(value * 10) / 10
