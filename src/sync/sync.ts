import type { Actor } from '../access/seniority.ts'
import type { Slot } from '../sources/slot.ts'
import type { RunReport } from './runs.ts'

export type RunKind = 'users' | 'groups'

export interface RunRequest {
  slot: Slot
  kind: RunKind
  /** Plan and write nothing; the run ends in the state `planned`. */
  dryRun: boolean
  /** The username of the caller; `schedule` for the schedule. */
  creator: string
  /** The actor whose rank counts at the time of each change. */
  actor: Actor
  /** false: it waits for a run that is under way instead of joining it, whose actor may have another rank. */
  joins?: boolean
}

/** The actor who decides about a held plan. */
export interface Decider {
  username: string
  actor: Actor
}

/** Imports people and departments from the organisation's platforms. */
export interface Sync {
  /**
   * Starts a run, or joins the one under way for this source and kind, on whatever instance. Answers the report once
   * the run ends, or after `wait` milliseconds (SYNC_WAIT unless told) as it is by then; the run goes on.
   * @throws AppError unavailable: the slot is not configured; conflict: the source is busy with a run of the other
   * kind, or a dry run, that did not end in time, or with any run where the request does not join
   */
  run: (request: RunRequest, wait?: number) => Promise<RunReport>
  /**
   * Applies a held plan, or what is held of one, as `run` does it: with the rank of who confirms it.
   * @throws AppError not_found: no such run; conflict: it is not held (any more), or the hash is another plan's
   */
  confirm: (runId: number, planHash: string, by: Decider, wait?: number) => Promise<RunReport>
  /**
   * Gives a held plan up.
   * @throws AppError not_found, conflict: as `confirm`; forbidden: it concerns people who are too strong for the
   * decider
   */
  discard: (runId: number, by: Decider) => Promise<void>
}
