import type { Food } from '../food.ts'
import type { Amount, Unit } from './amount.ts'
import { decimal, type Fraction, fraction, times } from './fraction.ts'

const thousand = fraction(1000n)

/** The weight of an amount of a food, in grams; null where the table does not give the weight of the unit. */
export const gramsOf = ({ quantity, unit }: Amount, food: Food): Fraction | null => {
  const weight = weightOf(unit, food)
  if (weight === undefined) return null
  const grams = times(quantity, decimal(String(weight)))
  return unit === 'kg' || unit === 'L' ? times(grams, thousand) : grams
}

/** Grams of one unit; of a thousandth for kg and L. */
const weightOf = (unit: Unit, { density, pieceGrams, servingGrams }: Food): number | undefined => {
  switch (unit) {
    case 'g':
    case 'kg':
      return 1
    case 'ml':
    case 'L':
      return density
    case '份':
      return servingGrams
    default:
      return pieceGrams
  }
}
