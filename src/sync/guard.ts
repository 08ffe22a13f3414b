import type { Plan } from './plan.ts'
import type { RunKind } from './run-request.ts'
import type { Staged } from './stage.ts'

/** How much a run may disable or remove without confirmation: the larger of the two counts. */
export interface RemovalLimit {
  records: number
  /** Of the records that this source has here already (`ours` of the plan): 0.1 is 10 %. */
  share: number
}

export const defaultRemovals: RemovalLimit = { records: 20, share: 0.1 }

export interface GuardOptions {
  kind: RunKind
  plan: Plan
  staged: Staged
  /** SYNC_MAX_REMOVALS */
  limit: RemovalLimit
  /** Gaps that an administrator has confirmed before: they are normal for this source. */
  acceptedGaps: readonly string[]
}

const words = {
  users: { many: 'people', verb: 'disable' },
  groups: { many: 'departments', verb: 'remove' },
} as const

/**
 * Why a plan must be confirmed before it is applied, a sentence each; empty: it need not. A source that returns no
 * people, or not all of them, looks exactly like one that they have left.
 */
export const reasonsToHold = ({ kind, plan, staged, limit, acceptedGaps }: GuardOptions): string[] => {
  const { many, verb } = words[kind]
  const changes = plan.added + plan.updated + plan.moved + plan.disabled
  if (changes === 0) return []
  const reasons: string[] = []
  if (staged.records === 0 && plan.ours > 0) reasons.push(`The source returned no ${many}`)
  for (const gap of staged.gaps.filter((each) => !acceptedGaps.includes(each))) {
    reasons.push(`The source did not return everything: ${gap}`)
  }
  const most = Math.max(limit.records, Math.floor(limit.share * plan.ours))
  if (plan.disabled > most) {
    reasons.push(`It would ${verb} ${plan.disabled} of ${plan.ours} ${many}: the limit is ${most} (SYNC_MAX_REMOVALS)`)
  }
  return reasons
}
