// A caught value may be of any type: its causes, code and message.

/** An error and its causes, the outermost first: the query builder wraps the error of the driver (DrizzleQueryError). */
export function* causesOf(error: unknown): Generator<Error, void, undefined> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause
}

/** The code of an error itself, such as `ENOENT` or an SQLSTATE; undefined: it has none. */
export const codeOf = (error: unknown): string | undefined => {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' ? code : undefined
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
