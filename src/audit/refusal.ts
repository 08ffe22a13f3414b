/**
 * SQLSTATE classes in which PostgreSQL refuses a row for what is in it: data exception, integrity constraint, check
 * option, program limit, an exception raised by a trigger.
 */
const aboutTheRow = /^(22|23|44|54|P0)\w{3}$/

/** Why a batch of entries was not written. */
export interface Refusal {
  /** An SQLSTATE, or the name of the error. */
  code: string
  /** It is about what is in an entry; false: it may be about anything but the connection. */
  aboutEntry: boolean
}

/** @param error not one of a connection (db/unavailable.ts) */
export const refusalOf = (error: unknown): Refusal => {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code: unknown = Reflect.get(at, 'code')
    if (typeof code === 'string') return { code, aboutEntry: aboutTheRow.test(code) || code === 'UNDEFINED_VALUE' }
    // Thrown while the entry was put into words: no server was asked.
    if (at instanceof TypeError || at instanceof RangeError) return { code: at.name, aboutEntry: true }
  }
  return { code: error instanceof Error ? error.name : typeof error, aboutEntry: false }
}
