import type { FindingKind } from './deductions.ts'
import type { Facts } from './facts.ts'

/** A problem that was found. Its severity and its points depend on its kind. */
export interface Finding {
  kind: FindingKind
  /** The finding, with its figures. */
  description: string
  /** The operation or the setting that solves it. */
  suggestion: string
}

/** One aspect of the state. All its functions are pure: the same facts give the same texts. */
export interface Concern {
  /** The id of the status item; it never changes. */
  id: number
  name: string
  description: string
  /** The figures, also without a finding. */
  details: (facts: Facts) => string
  find: (facts: Facts) => Finding[]
}

/** A finding where the condition holds. */
export const when = (condition: boolean, finding: () => Finding): Finding[] => (condition ? [finding()] : [])
