import { sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import type { RunProblem } from '../db/schema.ts'
import type { Slot } from '../sources/slot.ts'

/** Which side wins for a mapped field that was changed here after it was imported: SYNC_WINS. */
export type Wins = 'source' | 'local'

/** The inputs of a plan, besides the rows of `run_records`. */
export interface PlanOptions {
  runId: number
  slot: Slot
  /** The id of the whole organisation at the source. */
  rootId: string
  wins: Wins
}

/** The figures of the plan in `run_changes`; `total` is the sum of the other counts. */
export interface Plan {
  /** Records that were compared: those of the snapshot, and those that are gone from the source. */
  total: number
  added: number
  updated: number
  moved: number
  disabled: number
  unchanged: number
  /** Records that cannot be imported; each has a problem. */
  skipped: number
  /** Records here that came from this source: enabled people, or departments. */
  ours: number
  problems: RunProblem[]
}

/**
 * SHA-256 over the changes of a plan, in hex: equal changes have equal hashes, whatever run they are of. Empty for a
 * plan without changes.
 */
export const planHash = async (tx: Tx, runId: number): Promise<string> => {
  const [row] = await tx.execute<{ hash: string | null }>(sql`
    select encode(sha256(string_agg(sha256(convert_to(jsonb_build_array(
      action, source_id, record_id, version, name, before, after)::text, 'UTF8')), ''::bytea order by seq)), 'hex') as hash
    from run_changes where run_id = ${runId}`)
  return row?.hash ?? ''
}
