import { and, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { operationLogs } from '../../db/schema.ts'
import type { Page } from '../paging.ts'
import type { Head } from './chain.ts'

/** Matches between two landmarks: what a page may have to step over, whatever its offset. */
const stride = 500
/** Filters whose landmarks are kept; 16 KB each for a million matches. */
const capacity = 32

/** How many entries match a filter, and where among all entries they are. */
interface Survey {
  lastSeal: number
  /** Entries up to this one were looked at. */
  upTo: number
  total: number
  /** The place of the first match, counted from the oldest, and of every 500th after it. */
  marks: readonly number[]
}

/** A stretch of the log that holds a page. */
export interface Stretch {
  total: number
  /** From and up to these places, both included … */
  from: number
  to: number
  /** … oldest first, leave out so many matches and take so many. */
  skip: number
  take: number
}

/**
 * Knows for a filter how many entries match and where every 500th match is, so that any page is as near as the first.
 * The log only grows, so a filter's first question looks at the whole log and each later one at what was added since.
 * Deleting entries moves positions: the next question looks at everything again.
 */
export const openLandmarks = (db: Db) => {
  const surveys = new Map<string, Promise<Survey>>()

  const survey = (name: string, filter: SQL | undefined, head: Head): Promise<Survey> => {
    const before = surveys.get(name) ?? Promise.resolve(nothing(head))
    const after = before.catch(() => nothing(head)).then((known) => extend(db, filter, head, known))
    surveys.delete(name)
    surveys.set(name, after)
    const [oldest] = surveys.keys()
    if (surveys.size > capacity && oldest !== undefined) surveys.delete(oldest)
    return after
  }

  return {
    /** Where the page is; its offset counts from the newest match. `name` is the same for the same filter only. */
    async find(name: string, filter: SQL | undefined, head: Head, { limit, offset }: Page): Promise<Stretch> {
      const { total, marks, upTo } = await survey(name, filter, head)
      const end = Math.max(total - offset, 0)
      const start = Math.max(end - limit, 0)
      const mark = Math.floor(start / stride)
      const next = marks[Math.ceil(end / stride)]
      return {
        total,
        from: marks[mark] ?? upTo + 1,
        to: next === undefined ? upTo : next - 1,
        skip: start - mark * stride,
        take: end - start,
      }
    },
  }
}

const nothing = ({ cleanedTo, lastSeal }: Head): Survey => ({ lastSeal, upTo: cleanedTo, total: 0, marks: [] })

const extend = async (db: Db, filter: SQL | undefined, head: Head, known: Survey): Promise<Survey> => {
  const { lastSeal, upTo, total, marks } = head.lastSeal > known.lastSeal ? nothing(head) : known
  if (upTo >= head.seq) return { lastSeal, upTo, total, marks }
  const matches = db
    .select({
      seq: operationLogs.seq,
      place: sql<number>`${total} + row_number() over (order by ${operationLogs.seq}) - 1`.as('place'),
    })
    .from(operationLogs)
    .where(and(between(upTo + 1, head.seq), filter))
    .as('matches')
  const [added] = await db
    .select({
      count: sql<number>`count(*)::int`,
      marks: sql<number[]>`coalesce(
        json_agg(${matches.seq} order by ${matches.seq}) filter (where ${matches.place} % ${stride} = 0), '[]')`,
    })
    .from(matches)
  if (added === undefined) throw new Error('a count has one row')
  return { lastSeal, upTo: head.seq, total: total + added.count, marks: [...marks, ...added.marks] }
}

/** Entries of a stretch that nobody deleted. */
export const between = (from: number, to: number): SQL =>
  sql`${operationLogs.hiddenBy} is null and ${operationLogs.seq} between ${from} and ${to}`
