import { semaphore } from '../../concurrency/semaphore.ts'
import { openTimeSlices } from '../../concurrency/time-slices.ts'
import { isObject, type JsonObject } from './json.ts'

/** Characters that are read at once without holding up everything else for long. */
const parsedAtOnce = 512 * 1024
/** Characters that the parser gets between two looks at the clock: some milliseconds of work. */
const portion = 16 * 1024

/**
 * What a text may hold: a few bytes that were packed well may be tens of millions of empty objects, each of which needs
 * twenty times the memory of its text. The 30,000 people of the largest answer have some 40 values each.
 */
const maxValues = 2_000_000
/** An object is rearranged in one piece as it grows. Those of platforms have a few dozen. */
const maxKeys = 10_000
const maxLevels = 100

/** More values, or more levels of them, than a text may have. */
export class TooManyValues extends Error {
  readonly limit = maxValues
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
  if (!fits(value, maxLevels)) throw new TooManyValues()
  return value
}

const fits = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((each) => fits(each, levels - 1)))

/**
 * As `JSON.parse`.
 * @throws SyntaxError; TooManyValues; the signal's reason when it aborts
 */
export const parseInSteps = async (text: string, signal: AbortSignal): Promise<unknown> => {
  const { write, end } = await openParser()
  const slices = openTimeSlices()
  for (let at = 0; at < text.length; at += portion) {
    write(text.slice(at, at + portion))
    if (!slices.over) continue
    await slices.next()
    signal.throwIfAborted()
  }
  return end()
}

/** The library is loaded by the first long text: an installation may never see one. */
const openParser = async () => {
  const { JSONParser, TokenType } = await import('@streamparser/json')
  // In buffers: by default it makes a text of a string byte by byte.
  const parser = new JSONParser({ paths: ['$'], stringBufferSize: 64 * 1024, numberBufferSize: 64 })
  let root: unknown
  let values = 0
  /** Of each object or list that is open, how many keys it has so far. */
  const keys: number[] = []
  parser.onValue = ({ value }) => {
    root = value
  }
  parser.onToken = ({ token }) => {
    if (token === TokenType.COMMA) return
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) keys.pop()
    else if (token === TokenType.COLON) {
      // What came before it was a key.
      values -= 1
      const size = (keys.pop() ?? 0) + 1
      keys.push(size)
      if (size > maxKeys) throw new TooManyValues()
    } else {
      values += 1
      if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) keys.push(0)
      if (values > maxValues || keys.length > maxLevels) throw new TooManyValues()
    }
  }
  const asSyntaxError = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      // At the end of a text that is cut off the library throws a plain Error.
      throw error instanceof TooManyValues ? error : new SyntaxError('not JSON', { cause: error })
    }
  }
  return {
    write: (part: string): void => asSyntaxError(() => parser.write(part)),
    /** @returns what it has read @throws SyntaxError where that is not whole */
    end(): unknown {
      if (!parser.isEnded) asSyntaxError(() => parser.end())
      if (root === undefined) throw new SyntaxError('not JSON')
      return root
    },
  }
}
