import type { Figures } from './figures.ts'

/** The nutrients whose energy is counted. */
export const macronutrients = ['protein', 'carbs', 'fat'] as const

export type Macronutrient = (typeof macronutrients)[number]

/** kcal in a gram: Regulation (EU) No 1169/2011, Annex XIV. */
export const energyPerGram: Readonly<Record<Macronutrient, number>> = { protein: 4, carbs: 4, fat: 9 }

/** Per cent of the energy of all three; null where the energy is zero. */
export const shareOf = (figures: Figures, nutrient: Macronutrient): number | null => {
  const energy = (each: Macronutrient): number => figures[each] * energyPerGram[each]
  const all = macronutrients.reduce((sum, each) => sum + energy(each), 0)
  return all === 0 ? null : (energy(nutrient) * 100) / all
}
