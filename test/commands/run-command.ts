import { spawn } from 'node:child_process'
import { built } from '../built.ts'

/** What a command printed, and how it ended. */
export interface Ran {
  status: number | null
  stdout: string
  stderr: string
}

/**
 * Runs a command as it is shipped, in a process of its own. Nothing of this process's environment reaches it but PATH.
 * @param answer is its input; `uid`: the user that it runs as, by default that of this process
 */
export const runCommand = (
  name: string,
  args: readonly string[],
  {
    env,
    folder,
    answer = '',
    uid,
  }: { env: Readonly<Record<string, string>>; folder: string; answer?: string; uid?: number },
): Promise<Ran> => {
  // Tap loads a module into child processes that writes files of the user who runs the tests.
  const shell = ['-c', 'unset NODE_OPTIONS; exec "$@"', 'sh']
  const child = spawn('sh', [...shell, process.execPath, ...built(`commands/${name}`), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', TIME_ZONE: 'UTC', ...env },
    ...(uid !== undefined && { uid }),
  })
  const killAtExit = (): void => void child.kill('SIGKILL')
  process.once('exit', killAtExit)
  // A command that ends without asking may have ended before the answer is written.
  child.stdin.on('error', () => {})
  child.stdin.end(answer)
  return new Promise((ended) => {
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.once('close', (status) => {
      process.off('exit', killAtExit)
      ended({ status, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() })
    })
  })
}
