import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { anyOfIds } from '../db/id-list.ts'
import type { MobileKey } from '../text/identity-keys.ts'
import { valuesBrought, valuesReleased } from './claims.ts'
import { mobilesByKey } from './mobiles-by-key.ts'

export interface Changes {
  runId: number
  /** The changes that are looked at, by `seq`. */
  seqs: readonly number[]
  mobileKey: MobileKey
}

/**
 * Sorts changes whose values pass to other people into those that can only be made together: two that exchange a value, or a
 * chain along which it is handed on. Nothing passes from one part to another.
 * @returns the parts, each in the order of `seq`, and by their first
 */
export const exchangesAmong = async (db: Db, { runId, seqs, mobileKey }: Changes): Promise<number[][]> => {
  const wanted = sql`c.run_id = ${runId} and c.seq = ${anyOfIds(seqs)} and c.state = 'planned'`
  const numbers = await mobilesByKey(db, wanted, mobileKey)
  const passing = await db.execute<{ to: number; from: number }>(sql`
    select b.seq as "to", r.seq as "from"
    from (${valuesBrought(wanted, numbers)}) b join (${valuesReleased(wanted)}) r using (field, key)`)
  return partsOf(seqs, passing)
}

/** The connected parts of a graph: each number begins alone, and its part joins that of the number which it is linked to. */
const partsOf = (seqs: readonly number[], links: readonly { to: number; from: number }[]): number[][] => {
  const above = new Map(seqs.map((seq) => [seq, seq]))
  const firstOf = (seq: number): number => {
    let first = seq
    for (let next = above.get(first) ?? first; next !== first; next = above.get(first) ?? first) {
      // Shortens the way, so that a long chain takes linear time.
      above.set(first, above.get(next) ?? next)
      first = next
    }
    return first
  }
  for (const { to, from } of links) {
    const [one, other] = [firstOf(to), firstOf(from)]
    above.set(Math.max(one, other), Math.min(one, other))
  }
  const parts = new Map<number, number[]>()
  for (const seq of seqs) {
    const first = firstOf(seq)
    const part = parts.get(first)
    if (part === undefined) parts.set(first, [seq])
    else part.push(seq)
  }
  return [...parts.values()]
}
