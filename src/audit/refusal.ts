import { causesOf, codeOf } from '../failures/caught-error.ts'

/**
 * SQLSTATE classes in which PostgreSQL refuses a row because of its content: data exception, integrity constraint,
 * check option, program limit, an exception raised by a trigger.
 */
const aboutTheRow = /^(22|23|44|54|P0)\w{3}$/

/** Why a batch of entries was not written. */
export interface Refusal {
  /** An SQLSTATE, or the name of the error. */
  code: string
  /** Whether the content of an entry is the reason; false: any other reason except a lost connection. */
  aboutEntry: boolean
}

/** @param error not one of a connection (db/unavailable.ts) */
export const refusalOf = (error: unknown): Refusal => {
  for (const cause of causesOf(error)) {
    const code = codeOf(cause)
    if (code !== undefined) return { code, aboutEntry: aboutTheRow.test(code) || code === 'UNDEFINED_VALUE' }
    // Thrown while the entry was serialized: no server was involved.
    if (cause instanceof TypeError || cause instanceof RangeError) return { code: cause.name, aboutEntry: true }
  }
  return { code: error instanceof Error ? error.name : typeof error, aboutEntry: false }
}
