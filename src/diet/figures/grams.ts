import type { Food } from '../food.ts'
import type { Amount, Unit } from './amount.ts'
import { decimal, type Fraction, fraction, times } from './fraction.ts'

const thousand = fraction(1000n)

/** What an amount of a food weighs, in grams; null where nothing says what a millilitre, a piece or a portion of it does. */
export const gramsOf = ({ quantity, unit }: Amount, food: Food): Fraction | null => {
  const weight = weightOf(unit, food)
  if (weight === undefined) return null
  const grams = times(quantity, decimal(String(weight)))
  return unit === 'kg' || unit === 'L' ? times(grams, thousand) : grams
}

/** Grams of one unit; of kg and L of a thousandth. */
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
