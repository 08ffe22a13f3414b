import { semaphore } from '../../semaphore.ts'
import { openStretches } from '../../stretches.ts'
import { isObject, type JsonObject } from './json.ts'

/** Characters that are read at once without holding up everything else for long. */
const parsedAtOnce = 512 * 1024
/** Values between two looks at the clock. */
const valuesAtOnce = 500

/**
 * What a text may hold: a few bytes that were packed well may be tens of millions of empty objects, each of which needs
 * twenty times the memory of its text. The 30,000 people of the largest answer have some 40 values each.
 */
const mostValues = 2_000_000
/** An object is rearranged in one piece as it grows. Those of platforms have a few dozen. */
const mostKeys = 10_000
const mostLevels = 100

/** More values, or more levels of them, than a text may have. */
export class TooManyValues extends Error {
  readonly limit = mostValues
}

/** One at a time: their memory would add up. */
const large = semaphore(1)

/**
 * The JSON object of a text; null where it has none. A long text is read in steps, between which everything else has its
 * turn.
 * @throws TooManyValues; the signal's reason when it aborts
 */
export const parseObject = async (text: string, signal: AbortSignal): Promise<JsonObject | null> => {
  try {
    const value: unknown =
      text.length <= parsedAtOnce ? parseAtOnce(text) : await large.run(() => parseInSteps(text, signal))
    return isObject(value) ? value : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** `JSON.parse` reads any number of levels. What writes the value again goes down them, and has no room for thousands. */
const parseAtOnce = (text: string): unknown => {
  const value: unknown = JSON.parse(text)
  if (!fits(value, mostLevels)) throw new TooManyValues()
  return value
}

const fits = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((each) => fits(each, levels - 1)))

/** An object or a list that is being read. */
interface Open {
  into: unknown[] | Record<string, unknown>
  /** Of the next value of an object. */
  key: string
  /** Values so far. */
  size: number
}

/**
 * As `JSON.parse`.
 * @throws SyntaxError; TooManyValues; the signal's reason when it aborts
 */
export const parseInSteps = async (text: string, signal: AbortSignal): Promise<unknown> => {
  const reader = createReader(text)
  const stretches = openStretches()
  for (;;) {
    for (let count = 0; count < valuesAtOnce; count += 1) if (reader.step()) return reader.value()
    if (!stretches.over) continue
    await stretches.turn()
    signal.throwIfAborted()
  }
}

const spaces = /[ \t\n\r]*/y
const word = /[^ \t\n\r,\]}"[{:]*/y

/** The first place that a sticky pattern does not match any more. */
const endOf = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from
  pattern.test(text)
  return pattern.lastIndex
}

/** After the quotation mark that ends a string: one with an even number of backslashes before it. */
const endOfString = (text: string, from: number): number => {
  for (let quote = text.indexOf('"', from + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote
    while (text.charAt(before - 1) === '\\') before -= 1
    if ((quote - before) % 2 === 0) return quote + 1
  }
  throw new SyntaxError('a string has no end')
}

/** `__proto__` is a name like any other. */
const define = (into: Record<string, unknown>, key: string, value: unknown): void => {
  if (key !== '__proto__') into[key] = value
  else Object.defineProperty(into, key, { value, configurable: true, enumerable: true, writable: true })
}

const createReader = (text: string) => {
  const open: Open[] = []
  let at = 0
  let values = 0
  let root: unknown

  const skip = (): string => {
    at = endOf(spaces, text, at)
    return text.charAt(at)
  }
  const take = (character: string): void => {
    if (skip() !== character) throw new SyntaxError('not JSON')
    at += 1
  }
  /** A copy: a part of a text keeps all of it in memory. */
  const readScalar = (): unknown => {
    const end = text.charAt(at) === '"' ? endOfString(text, at) : endOf(word, text, at)
    const value: unknown = JSON.parse(text.slice(at, end))
    at = end
    return value
  }
  const put = (value: unknown): void => {
    values += 1
    if (values > mostValues) throw new TooManyValues()
    const inside = open.at(-1)
    if (inside === undefined) root = value
    else if (Array.isArray(inside.into)) inside.into.push(value)
    else define(inside.into, inside.key, value)
    if (inside !== undefined) inside.size += 1
  }
  const begin = (into: Open['into']): void => {
    at += 1
    put(into)
    if (open.push({ into, key: '', size: 0 }) > mostLevels) throw new TooManyValues()
  }
  /** What stands before the next value of what is open; whether there is one. */
  const leadIn = (inside: Open): boolean => {
    const isList = Array.isArray(inside.into)
    if (skip() === (isList ? ']' : '}')) {
      at += 1
      open.pop()
      return false
    }
    if (inside.size > 0) take(',')
    if (isList) return true
    if (inside.size >= mostKeys) throw new TooManyValues()
    if (skip() !== '"') throw new SyntaxError('not JSON')
    inside.key = String(readScalar())
    take(':')
    return true
  }

  return {
    value: () => root,
    /** Reads the next value, or the end of a list or an object; true: that was all. */
    step(): boolean {
      const inside = open.at(-1)
      if (inside === undefined || leadIn(inside)) {
        const first = skip()
        if (first === '[') begin([])
        else if (first === '{') begin({})
        else put(readScalar())
      }
      if (open.length > 0) return false
      if (skip() !== '') throw new SyntaxError('not JSON')
      return true
    },
  }
}
