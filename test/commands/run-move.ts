import { spawn } from 'node:child_process'
import { built } from '../built.ts'

export interface Moving {
  /** Its working directory. */
  folder: string
  env: Record<string, string>
  /** Called with each line of the progress. */
  onLine?: (line: string, pid: number) => unknown
  /** The largest file it may write, in blocks of 512 bytes. */
  fileSize?: number
}

/** Runs the command as it is shipped. */
export const runMove = async (args: readonly string[], { folder, env, onLine = () => {}, fileSize }: Moving) => {
  const limit = fileSize === undefined ? '' : `ulimit -f ${fileSize};`
  // Tap loads a module into child processes that ends them at the signal of a limit, which Node itself makes an error.
  const command = ['-c', `unset NODE_OPTIONS; ${limit} exec "$@"`, 'sh', process.execPath, ...built('commands/move')]
  const child = spawn('sh', [...command, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', TIME_ZONE: 'UTC', EMBEDDED_LDAP_PORT: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk))
  const told: unknown[] = []
  let begun = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output.stderr += chunk
    const lines = (begun + chunk).split('\n')
    begun = lines.pop() ?? ''
    for (const line of lines) told.push(onLine(line, child.pid ?? 0))
  })
  const status = await new Promise<number | NodeJS.Signals | null>((ended) =>
    child.once('close', (code, signal) => ended(signal ?? code)),
  )
  await Promise.all(told)
  return { status, ...output }
}

export const killAt =
  (wanted: RegExp) =>
  (line: string, pid: number): void => {
    if (wanted.test(line)) process.kill(pid, 'SIGKILL')
  }
