const { stdout, stderr } = process

/**
 * Runs what a command does. It goes on where its output cannot be written any more (`steward move | head`, a full disk): half
 * of a move or of a restore is worse than a line without a reader. Without this, Node.js ends the process at any moment.
 * @param fail called with what `main` throws
 */
export const runCommand = (main: () => Promise<void>, fail: (error: unknown) => void): Promise<void> => {
  for (const stream of [stdout, stderr]) stream.on('error', () => {})
  return main().catch(fail)
}
