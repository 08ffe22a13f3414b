import type { Write } from '../ldap/directory.ts'
import type { Item } from './item.ts'
import { type Found, type Plan, writesFor } from './plan.ts'

/** The last repair of an entry as a keyed digest of its writes, and how often in a row it was that one. */
export interface Repair {
  digest: string | null
  count: number
}

/** A repair that was made so often in a row is not made again by itself: the directory does not keep it. */
export const heldRepairs = 2

export const notKept =
  'the directory does not keep what is written: another tool or a rule of the server changes it back'

const digestOf = (writes: readonly Write[], digest: (text: string) => string): string => digest(JSON.stringify(writes))

/** Whether exactly this was written before, to repair the entry, and did not hold. */
const isRepeated = (item: Item, writes: readonly Write[], digest: (text: string) => string): boolean =>
  writes.length > 0 && item.repairDigest !== null && item.repairDigest === digestOf(writes, digest)

/**
 * Whether it is left as it is: until the record or the entry changes otherwise, a request names it, or a day is over.
 * A record that waits for an attempt has one of these reasons.
 */
const isLeft = (item: Item): boolean => item.repairs >= heldRepairs && !(item.changed && item.due)

/** What is to be remembered once these writes were carried out. */
const repairAfter = (item: Item, writes: readonly Write[], digest: (text: string) => string): Repair => {
  if (writes.length === 0) return { digest: null, count: 0 }
  const again = isRepeated(item, writes, digest)
  // A change of the record is no repair.
  if (item.changed) return again ? { digest: item.repairDigest, count: item.repairs } : { digest: null, count: 0 }
  return { digest: digestOf(writes, digest), count: again ? item.repairs + 1 : 1 }
}

/** The writes of a record, unless they are a repair that does not hold. */
export const repairing = (
  item: Item,
  found: Found | null,
  digest: (text: string) => string,
): Pick<Plan, 'writes' | 'repair' | 'unheld'> => {
  const writes = writesFor(item, found)
  const repair = repairAfter(item, writes, digest)
  if (!isRepeated(item, writes, digest)) return { writes, repair }
  // The server may keep a spelling of its own.
  const repeated = { digest: item.repairDigest, count: item.repairs }
  if (writesFor(item, found, true).length === 0) return { writes: [], repair: repeated }
  return isLeft(item) ? { writes: [], repair: repeated, unheld: true } : { writes, repair }
}
