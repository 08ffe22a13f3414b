/** A command was called in a wrong way; the message shows the right one. */
export class UsageError extends Error {
  constructor(problem: string, usage: string) {
    super(`${problem}\n\n${usage}`)
    this.name = 'UsageError'
  }
}

/** The result of `parse` for a command line. @throws UsageError with its message when it throws */
export const orUsageError = <T>(usage: string, parse: () => T): T => {
  try {
    return parse()
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), usage)
  }
}
