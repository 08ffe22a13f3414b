import type { Actor } from '../access/seniority.ts'
import type { RecordKind } from '../mirror/touch.ts'
import type { Slot } from '../sources/slot.ts'

export type RunKind = 'users' | 'groups'

/** The kind of the records that a run is about. */
export const recordKindOf = (kind: RunKind): RecordKind => (kind === 'users' ? 'user' : 'group')

export interface RunRequest {
  slot: Slot
  kind: RunKind
  /** Plan and write nothing; the run ends in the state `planned`. */
  dryRun: boolean
  /** The username of the caller; `schedule` for the schedule. */
  creator: string
  /** The actor whose rank counts at the time of each change. */
  actor: Actor
  /** false: it waits for the end of a running one and does not join it, because its actor may have another rank. */
  joins?: boolean
}

/** The actor who decides about a held plan. */
export interface Decider {
  username: string
  actor: Actor
}
