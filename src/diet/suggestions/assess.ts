import type { Deviation } from '../figures/target.ts'

export type Assessment = 'good' | 'warning' | 'bad'

/** The completeness of a day's figures. */
export interface Ground {
  /** Whether anything is planned at all. */
  planned: boolean
  /** Whether every ingredient has figures. */
  complete: boolean
}

/** With unknown ingredients the calories are a minimum, and all other figures may still be right. */
export const assess = (deviations: readonly Deviation[], { planned, complete }: Ground): Assessment => {
  if (!planned) return 'warning'
  const certain = deviations.filter(({ of, by }) => complete || (of === 'calories' && by > 0))
  if (certain.some(({ bad }) => bad)) return 'bad'
  return deviations.length === 0 && complete ? 'good' : 'warning'
}
