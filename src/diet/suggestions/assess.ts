import type { Deviation } from '../figures/target.ts'

export type Assessment = 'good' | 'warning' | 'bad'

/** What the figures of a day rest on. */
export interface Ground {
  /** Whether anything is planned at all. */
  planned: boolean
  /** Whether every ingredient has figures. */
  complete: boolean
}

/** Where ingredients are unknown, the calories are at least what is known; everything else may yet turn out right. */
export const assess = (deviations: readonly Deviation[], { planned, complete }: Ground): Assessment => {
  if (!planned) return 'warning'
  const certain = deviations.filter(({ of, by }) => complete || (of === 'calories' && by > 0))
  if (certain.some(({ bad }) => bad)) return 'bad'
  return deviations.length === 0 && complete ? 'good' : 'warning'
}
