import type { Statement } from '../failures/statement.ts'
import { saysTheSame } from './gaps.ts'
import type { Plan } from './plan.ts'
import type { RunKind } from './run-request.ts'
import type { Staged } from './stage.ts'
import { statements } from './statements.ts'

/** How much a run may disable or remove without confirmation: the larger of the two counts. */
export interface RemovalLimit {
  records: number
  /** Of the enabled people, or of the departments, that this source has here already (`ours` of the plan): 0.1 is 10 %. */
  share: number
}

export const defaultRemovals: RemovalLimit = { records: 20, share: 0.1 }

export interface GuardOptions {
  kind: RunKind
  plan: Plan
  staged: Staged
  /** SYNC_MAX_REMOVALS */
  limit: RemovalLimit
  /** The keys of gaps that an administrator has confirmed before: they are normal for this source. */
  acceptedGaps: readonly string[]
}

const texts = {
  users: { none: statements.no_people, tooMany: statements.too_many_people },
  groups: { none: statements.no_departments, tooMany: statements.too_many_departments },
} as const

/**
 * Why a plan must be confirmed before it is applied; empty: it need not. A source that returns no
 * people, or not all of them, looks exactly like one that they have left.
 */
export const reasonsToHold = ({ kind, plan, staged, limit, acceptedGaps }: GuardOptions): Statement[] => {
  const { none, tooMany } = texts[kind]
  const changes = plan.added + plan.updated + plan.moved + plan.disabled
  if (changes === 0) return []
  const reasons: Statement[] = []
  if (staged.records === 0 && plan.ours > 0) reasons.push(none())
  for (const { stated: gap } of staged.gaps.filter(({ key }) => !acceptedGaps.includes(key))) {
    const isOther = acceptedGaps.some((accepted) => saysTheSame(accepted, gap))
    reasons.push(statements[isOther ? 'incomplete_otherwise' : 'incomplete']({ gap }))
  }
  const max = Math.max(limit.records, Math.floor(limit.share * plan.ours))
  if (plan.disabled > max) {
    reasons.push(tooMany({ count: plan.disabled, all: plan.ours, limit: max }))
  }
  return reasons
}
