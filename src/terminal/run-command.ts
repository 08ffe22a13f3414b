import { errorRecord } from '../runtime/log.ts'

const { stdout, stderr } = process

/**
 * Runs what a command does. It goes on where its output cannot be written any more (`steward move | head`, a full disk): half
 * of a move or of a restore is worse than a line without a reader. Without this, Node.js ends the process at any moment.
 * @param fail called with what `main` throws
 */
export const runCommand = (main: () => Promise<void>, fail: (error: unknown) => void): Promise<void> => {
  // What the process makes is for itself: a umask may take its own rights away, too, and then it cannot go on.
  process.umask(process.umask(0o077) & 0o077)
  for (const stream of [stdout, stderr]) stream.on('error', () => {})
  return main().catch(fail)
}

/**
 * Prints the error, and sets the exit code: 2 for errors of these kinds, which say that the command is not possible as it
 * was called; 1 for all others.
 */
export const failWith =
  (...refusals: readonly (abstract new (...input: never[]) => Error)[]) =>
  (error: unknown): void => {
    stderr.write(`${errorRecord(error).message}\n`)
    process.exitCode = refusals.some((kind) => error instanceof kind) ? 2 : 1
  }
