import type { Ledger } from '../ledger/ledger.ts'
import { canStepAside, type StepAsideOptions, stepAside } from '../plan/intents.ts'
import type { Outcome } from '../plan/outcome.ts'
import type { Plan } from '../plan/plan.ts'
import { statements } from '../statements.ts'

export interface LeaveNamesOptions extends StepAsideOptions {
  ledger: Pick<Ledger, 'intend' | 'wantedElsewhere' | 'aboveMoving'>
}

/**
 * A group that cannot be removed while others are below it keeps its DN until they have left. One of these may be meant
 * to get that DN, or wait for one that is: they would wait for each other. So the group takes a temporary name. Entries
 * of other programs below it are not a reason.
 * @param removals with an outcome each, in the same order
 * @returns the outcomes, which are those of the renames where there were some
 */
export const leaveNames = async (
  options: LeaveNamesOptions,
  removals: readonly Plan[],
  outcomes: Outcome[],
): Promise<Outcome[]> => {
  const { ledger, claim } = options
  if (claim.kind !== 'group') return outcomes
  const stuck = removals.filter(
    (one, at) => outcomes[at]?.error?.code === statements.entries_below.code && canStepAside(claim.kind, one),
  )
  const places = stuck.flatMap(({ item: { id }, found }) => (found ? [{ id, dn: found.dn }] : []))
  const [wanted, above] = await Promise.all([ledger.wantedElsewhere(places), ledger.aboveMoving(places)])
  const blocking = stuck.filter(({ item: { id } }) => wanted.has(id) && above.has(id))
  if (blocking.length === 0) return outcomes
  const renamed = new Map((await stepAside(options, blocking)).map((outcome) => [outcome.id, outcome]))
  return outcomes.map((outcome) => renamed.get(outcome.id) ?? outcome)
}
