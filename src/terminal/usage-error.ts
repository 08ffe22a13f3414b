/** A command was called in a wrong way; the message shows the right one. */
export class UsageError extends Error {
  constructor(problem: string, usage: string) {
    super(`${problem}\n\n${usage}`)
    this.name = 'UsageError'
  }
}
