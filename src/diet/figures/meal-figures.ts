import { compute, type FigureName, type Figures, figureNames, type Ingredient, roundFigures } from './figures.ts'

/** The user's own figures for a meal: kcal and grams. */
export type OwnFigures = Partial<Record<FigureName, number>>

/** The figures of a meal, and their basis. */
export interface MealFigures {
  figures: Figures
  /** Names of ingredients without figures. */
  unknown: string[]
  /** The figures that are the user's own. */
  own: FigureName[]
  /** How many ingredients have figures, and how many there are. */
  basis: Basis
}

export interface Basis {
  known: number
  all: number
}

/** The figures of a meal: computed; where an ingredient is unknown, the user's own as far as they gave any. */
export const mealFigures = (ingredients: readonly Ingredient[], ownFigures: OwnFigures): MealFigures => {
  const { exact, unknown } = compute(ingredients)
  const all = Math.max(1, ingredients.length)
  const known = ingredients.length - unknown.length
  const own = known === all ? [] : figureNames.filter((name) => ownFigures[name] !== undefined)
  const figures = { ...roundFigures(exact) }
  for (const name of own) figures[name] = Math.round((ownFigures[name] ?? 0) * 10)
  return { figures, unknown, own, basis: { known, all } }
}

export const addBases = (bases: readonly Basis[]): Basis => ({
  known: bases.reduce((sum, { known }) => sum + known, 0),
  all: bases.reduce((sum, { all }) => sum + all, 0),
})

/** A share from 0 to 1, to two decimals, rounded down so that 1 means all. For an empty list it is 1. */
export const coverageOf = ({ known, all }: Basis): number => (all === 0 ? 1 : Math.floor((known * 100) / all) / 100)

/** Each name once. */
export const distinct = (names: readonly string[]): string[] => [...new Set(names)]
