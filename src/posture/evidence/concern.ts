import type { components } from '../../generated/operations.types.ts'
import type { FindingKind } from './deductions.ts'
import type { Facts } from './facts.ts'

/** A problem that was found. Its severity and its points depend on its kind. */
export interface Finding {
  kind: FindingKind
  /** The finding, with its figures. */
  description: string
  /** The operation or the setting that solves it. */
  suggestion: string
  /** The values of the description, by name, for texts in other languages. */
  params?: Readonly<Record<string, string | number>>
}

/** One aspect of the state. All its functions are pure: the same facts give the same texts. */
export interface Concern {
  /** The id of the status item; it never changes. */
  id: number
  /** Its name for programs; it never changes. */
  area: components['schemas']['AreaName']
  name: string
  description: string
  /** The figures, also without a finding. */
  details: (facts: Facts) => string
  /** The same figures by name. */
  figures: (facts: Facts) => Readonly<Record<string, number>>
  find: (facts: Facts) => Finding[]
}

/** A finding where the condition holds. */
export const when = (condition: boolean, finding: () => Finding): Finding[] => (condition ? [finding()] : [])
