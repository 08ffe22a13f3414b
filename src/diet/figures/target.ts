import { energyPerGram, type Macronutrient, macronutrients, shareOf } from './energy.ts'
import type { Figures } from './figures.ts'

/** Per cent of the energy that a nutrient should give. */
export const recommendedShares: Readonly<Record<Macronutrient, { min: number; max: number }>> = {
  protein: { min: 10, max: 20 },
  carbs: { min: 50, max: 65 },
  fat: { min: 20, max: 30 },
}

/** How far from the target the calories may be, per cent of it: for "right", and for "fair". */
const tolerance = { right: 10, fair: 25 }

/** Points that a share may be outside its range for "fair". */
const fairPoints = 10

/** Grams of a nutrient in a day of so many kcal, at `share` per cent of the energy. */
export const gramsAt = (calories: number, share: number, nutrient: Macronutrient): number =>
  Math.round((calories * share) / energyPerGram[nutrient] / 10) / 10

/** kcal, and grams of each nutrient. */
export interface Target extends Readonly<Record<Macronutrient, { min: number; max: number }>> {
  calories: number
}

/** The target of a day. @param calories kcal */
export const targetOf = (calories: number): Target => {
  const rangeOf = (nutrient: Macronutrient): { min: number; max: number } => {
    const { min, max } = recommendedShares[nutrient]
    return { min: gramsAt(calories, min, nutrient), max: gramsAt(calories, max, nutrient) }
  }
  return { calories, protein: rangeOf('protein'), carbs: rangeOf('carbs'), fat: rangeOf('fat') }
}

/** A figure of a day that is outside its range. */
export interface Deviation {
  of: 'calories' | Macronutrient
  /**
   * Per cent of the target that the calories are off, or points that the share is outside its range; less is negative.
   */
  by: number
  bad: boolean
}

/** The figures of a day that are outside their ranges. @param target kcal */
export const deviationsOf = (day: Figures, target: number): Deviation[] => {
  const off = (day.calories / 10 / target - 1) * 100
  const calories: Deviation = { of: 'calories', by: off, bad: Math.abs(off) > tolerance.fair }
  const shares = macronutrients.flatMap((nutrient): Deviation[] => {
    const by = pointsOutside(shareOf(day, nutrient), recommendedShares[nutrient])
    return by === 0 ? [] : [{ of: nutrient, by, bad: Math.abs(by) > fairPoints }]
  })
  return [...(Math.abs(off) > tolerance.right ? [calories] : []), ...shares]
}

/** The distance of a day from the target: 0 is right, 1 for each figure that is as far off as possible. */
export const distanceOf = (deviations: readonly Deviation[]): number =>
  deviations.reduce((sum, { of, by }) => {
    const reach = of === 'calories' ? tolerance.fair : fairPoints
    return sum + Math.abs(by) / reach
  }, 0)

const pointsOutside = (share: number | null, { min, max }: { min: number; max: number }): number => {
  if (share === null) return 0
  if (share < min) return share - min
  return share > max ? share - max : 0
}
