import type { Write } from '../../ldap/directory.ts'
import type { Item } from './item.ts'
import { type Found, type Plan, writesFor } from './plan.ts'

/** The last repair of an entry as a keyed digest of its writes, and how often in a row it was made. */
export interface Repair {
  digest: string | null
  count: number
}

/**
 * The number of times in a row after which a repair is not made again automatically: the directory does not keep it.
 */
export const heldRepairs = 2

const digestOf = (writes: readonly Write[], digest: (text: string) => string): string => digest(JSON.stringify(writes))

/** Whether exactly these writes were made before to repair the entry, and did not hold. */
const isRepeated = (item: Item, writes: readonly Write[], digest: (text: string) => string): boolean =>
  writes.length > 0 && item.repairDigest !== null && item.repairDigest === digestOf(writes, digest)

/**
 * Whether the entry is not repaired until the record or the entry changes in another way, a request names it, or a day
 * is over. A record that waits for an attempt has one of these reasons.
 */
const isLeft = (item: Item): boolean => item.repairs >= heldRepairs && !(item.changed && item.due)

/** The repair to store after these writes were carried out. */
const repairAfter = (item: Item, writes: readonly Write[], digest: (text: string) => string): Repair => {
  if (writes.length === 0) return { digest: null, count: 0 }
  const again = isRepeated(item, writes, digest)
  // A change of the record is not a repair.
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
  // The server may keep its own spelling.
  const repeated = { digest: item.repairDigest, count: item.repairs }
  if (writesFor(item, found, true).length === 0) return { writes: [], repair: repeated }
  return isLeft(item) ? { writes: [], repair: repeated, unheld: true } : { writes, repair }
}
