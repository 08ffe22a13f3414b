import { and, type SQL, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/client.ts'
import type { Page } from '../db/paging.ts'
import { operationLogs } from '../db/schema.ts'
import type { Head } from './chain.ts'

/** Places in a block. A page reads at most this many matches in addition to its own, whatever its offset. */
const blockSize = 1000
/** Filters whose counts are cached: some 50 KB each for a million entries. */
const capacity = 32

/** How many entries match a filter, block by block. */
interface Tally {
  lastSeal: number
  /** Entries up to this one are counted. */
  upTo: number
  total: number
  /** Blocks with matches, oldest first. Block n holds the places from n × 1000. */
  blocks: readonly Block[]
}

interface Block {
  block: number
  count: number
}

/** The part of the log that contains a page. */
export interface Stretch {
  total: number
  /** From and up to these places, both included … */
  from: number
  to: number
  /** … newest first, leave out so many matches. */
  skip: number
}

/**
 * Counts for each filter the matching entries per block of the log, so that every page is found equally fast. The log
 * only grows: the first query of a filter counts the whole log, each later one what was added since. After a deletion
 * the next query counts everything again.
 */
export const openTallies = (db: Db) => {
  const tallies = new LRUCache<string, Promise<Tally>>({ max: capacity })

  const tally = (name: string, filter: SQL | undefined, head: Head): Promise<Tally> => {
    const before = tallies.get(name) ?? Promise.resolve(nothing(head))
    const after = before.catch(() => nothing(head)).then((known) => extend(db, filter, head, known))
    tallies.set(name, after)
    return after
  }

  return {
    /** The position of the page. `name` identifies the filter. */
    async find(name: string, filter: SQL | undefined, head: Head, page: Page): Promise<Stretch> {
      return stretchOf(await tally(name, filter, head), page)
    },
  }
}

const nothing = ({ cleanedTo, lastSeal }: Head): Tally => ({ lastSeal, upTo: cleanedTo, total: 0, blocks: [] })

const extend = async (db: Db, filter: SQL | undefined, head: Head, known: Tally): Promise<Tally> => {
  const { lastSeal, upTo, total, blocks } = head.lastSeal > known.lastSeal ? nothing(head) : known
  if (upTo >= head.seq) return { lastSeal, upTo, total, blocks }
  const block = sql<number>`${operationLogs.seq} / ${sql.raw(String(blockSize))}`.mapWith(Number)
  const added = await db
    .select({ block, count: sql<number>`count(*)::int` })
    .from(operationLogs)
    .where(and(between(upTo + 1, head.seq), filter))
    .groupBy(block)
    .orderBy(block)
  return {
    lastSeal,
    upTo: head.seq,
    total: added.reduce((sum, { count }) => sum + count, total),
    blocks: joined(blocks, added),
  }
}

/** The newest known block may have grown. */
const joined = (known: readonly Block[], added: readonly Block[]): readonly Block[] => {
  const [first, ...rest] = added
  const last = known.at(-1)
  if (first === undefined) return known
  if (first.block !== last?.block) return [...known, ...added]
  return [...known.slice(0, -1), { block: first.block, count: last.count + first.count }, ...rest]
}

const stretchOf = ({ total, upTo, blocks }: Tally, { offset, limit }: Page): Stretch => {
  let newest = blocks.length - 1
  let skip = offset
  for (let count = blocks[newest]?.count; count !== undefined && skip >= count; count = blocks[newest]?.count) {
    skip -= count
    newest -= 1
  }
  let oldest = newest
  for (let room = skip + limit - (blocks[oldest]?.count ?? 0); room > 0 && oldest > 0; oldest -= 1) {
    room -= blocks[oldest - 1]?.count ?? 0
  }
  const start = blocks[oldest]?.block
  const end = blocks[newest]?.block
  if (start === undefined || end === undefined) return { total, from: 1, to: 0, skip: 0 }
  return { total, from: start * blockSize, to: Math.min((end + 1) * blockSize - 1, upTo), skip }
}

/** Entries of a stretch that are not deleted. */
export const between = (from: number, to: number): SQL =>
  sql`${operationLogs.hiddenBy} is null and ${operationLogs.seq} between ${from} and ${to}`
