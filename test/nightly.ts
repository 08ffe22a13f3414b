import { createHash } from 'node:crypto'

/** NIGHTLY=1: everything, however long it takes. Without it a test that does the same at many moments takes a sample. */
export const nightly = process.env.NIGHTLY === '1'

/** Samples depend on the day (UTC), so that all runs of a day take the same; SAMPLE_DAY=2026-11-23 takes that day's. */
const day = process.env.SAMPLE_DAY ?? new Date().toISOString().slice(0, 10)

/** The limit of a test file in milliseconds: four times as long by night. */
export const fileLimit = (milliseconds: number): number => (nightly ? 4 * milliseconds : milliseconds)

/** The part of tap's test that says what was chosen. */
interface Commented {
  comment(...text: string[]): void
}

/** `count` of `all` in their order, chosen by the day; by night all. The choice is a comment of the test. */
export const sampleOf = <T>(t: Commented, what: string, all: readonly T[], count: number): readonly T[] => {
  if (nightly) return all
  const ranks = all.map((_, index) => ({ index, at: drawn(`${what} ${index}`) })).sort((a, b) => a.at - b.at)
  const chosen = new Set(ranks.slice(0, count).map(({ index }) => index))
  const sample = all.filter((_, index) => chosen.has(index))
  t.comment(`${what}: ${JSON.stringify(sample)}, ${count} of ${all.length} (SAMPLE_DAY=${day})`)
  return sample
}

/** Those of `all` whose turn it is on this day: each once in so many days, and by night all. The choice is a comment. */
export const turnOf = <T>(t: Commented, what: string, all: readonly T[], days: number): readonly T[] => {
  if (nightly) return all
  const today = Date.parse(day) / 86_400_000
  if (!Number.isInteger(today)) throw new Error(`SAMPLE_DAY must be a day such as 2026-11-23, not ${day}`)
  const chosen = all.filter((_, index) => index % days === today % days)
  t.comment(`${what}: ${JSON.stringify(chosen)}, ${chosen.length} of ${all.length} (SAMPLE_DAY=${day})`)
  return chosen
}

/** A whole number from `least` to `max`, chosen by the day. It is a comment of the test. */
export const momentOf = (t: Commented, what: string, least: number, max: number): number => {
  const moment = least + Math.floor(drawn(what) * (max - least + 1))
  t.comment(`${what}: ${moment} of ${least} to ${max} (SAMPLE_DAY=${day})`)
  return moment
}

/** From 0 up to 1. */
const drawn = (name: string): number => createHash('sha256').update(`${day} ${name}`).digest().readUInt32BE() / 2 ** 32
