import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { built } from './built.ts'

/** Runs npm run verify-log as it ships, with these settings and arguments. */
export const runVerifyLog = async (
  environment: Readonly<Record<string, string>>,
  given: readonly string[] = [],
): Promise<{ code: number | null; output: string }> => {
  const child = spawn(process.execPath, [...built('commands/verify-log'), ...given], {
    // A folder without a .env.
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  await once(child, 'close')
  return { code: child.exitCode, output }
}
