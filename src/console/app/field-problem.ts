import type { ReasonCode } from '../generated/reason-codes.ts'

/** What is wrong with one field, as the service says it. */
export interface FieldProblem {
  field: string
  message: string
  reason: ReasonCode
  params: Readonly<Record<string, string>>
}
