/** A command was not called as it is meant to be; the message says how it is. */
export class UsageError extends Error {
  constructor(problem: string, usage: string) {
    super(`${problem}\n\n${usage}`)
    this.name = 'UsageError'
  }
}

/** What `parse` makes of a command line. @throws UsageError with what it says when it cannot */
export const orUsageError = <T>(usage: string, parse: () => T): T => {
  try {
    return parse()
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), usage)
  }
}
