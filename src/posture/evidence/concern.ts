import type { FindingKind } from './deductions.ts'
import type { Facts } from './facts.ts'

/** Something that is not as it should be. How bad it is and what it costs follows from its kind. */
export interface Finding {
  kind: FindingKind
  /** What was found, with its figures. */
  description: string
  /** The call or the setting that mends it. */
  suggestion: string
}

/** One part of how things stand. Its parts are pure: the same facts, the same words. */
export interface Concern {
  /** The status item's, for ever. */
  id: number
  name: string
  description: string
  /** The figures, also when all is well. */
  details: (facts: Facts) => string
  find: (facts: Facts) => Finding[]
}

/** A finding where the condition holds. */
export const when = (condition: boolean, finding: () => Finding): Finding[] => (condition ? [finding()] : [])
