import { sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import type { RunProblem } from '../db/schema.ts'
import type { Slot } from '../sources/slot.ts'

/** Whose word counts where a mapped field was changed here after it was taken over: SYNC_WINS. */
export type Wins = 'source' | 'local'

/** What a plan is made from, beside the rows of `run_records`. */
export interface PlanOptions {
  runId: number
  slot: Slot
  /** The id of the whole organisation at the source. */
  rootId: string
  wins: Wins
}

/** A plan, which is in `run_changes`, in figures; `total` is the sum of the other counts. */
export interface Plan {
  /** Records looked at: those the source answered, and those that it no longer does. */
  total: number
  added: number
  updated: number
  moved: number
  disabled: number
  unchanged: number
  /** Records nothing can be made of; each has a problem. */
  skipped: number
  /** How many of the source's records are here, those who left before apart. */
  ours: number
  problems: RunProblem[]
}

/**
 * SHA-256 over the changes of a plan, in hex: the same changes, the same hash, whatever run they are of. Empty for a
 * plan without changes.
 */
export const planHash = async (tx: Tx, runId: number): Promise<string> => {
  const [row] = await tx.execute<{ hash: string | null }>(sql`
    select encode(sha256(string_agg(sha256(convert_to(jsonb_build_array(
      action, source_id, record_id, version, name, before, after)::text, 'UTF8')), ''::bytea order by seq)), 'hex') as hash
    from run_changes where run_id = ${runId}`)
  return row?.hash ?? ''
}
