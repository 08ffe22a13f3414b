import type { RunReport } from './runs.ts'

/** The slots an organisation can be connected to; the names that runs, groups and field relations carry. */
export const slots = ['exta', 'extb', 'extc', 'extldap'] as const
export type Slot = (typeof slots)[number]

export type RunKind = 'users' | 'groups'

export interface RunRequest {
  slot: Slot
  kind: RunKind
  /** Plan and write nothing; the run ends in the state `planned`. */
  dryRun: boolean
  /** The username of who asks; `schedule` for the clock. */
  creator: string
}

/** Takes people and departments over from the organisation's platforms. */
export interface Sync {
  /**
   * Starts a run, or joins the one under way for this source and kind, on whatever instance. Answers the report once
   * the run ends, or after `wait` milliseconds (SYNC_WAIT unless told) as it is by then; the run goes on.
   * @throws AppError unavailable: the slot is not configured; conflict: the source is busy with a run of the other
   * kind, or a dry run, that did not end in time
   */
  run: (request: RunRequest, wait?: number) => Promise<RunReport>
  /**
   * Applies a held plan, as `run` does it.
   * @throws AppError not_found: no such run; conflict: it is not held (any more), or the hash is another plan's
   */
  confirm: (runId: number, planHash: string, by: string, wait?: number) => Promise<RunReport>
  /** Gives a held plan up. @throws AppError as `confirm` */
  discard: (runId: number, by: string) => Promise<void>
}
