import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stage } from './bench/stage.ts'

/** A service in a process of its own. */
export interface Instance {
  url: string
  pid: number
  /** Everything printed so far. */
  output(): string
  /** SIGTERM; resolves when the process is gone. */
  stop(): Promise<number | null>
}

/** Starts the service that is built in a folder, and waits until it listens. Nothing of this process's environment reaches it. */
export const startInstance = async (
  stage: Stage,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<Instance> => {
  const child = spawn(process.execPath, [join(folder, 'dist/main/server.js')], {
    // A folder without a .env.
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '', TIME_ZONE: 'UTC', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    return child.exitCode
  }
  stage.teardown(stop)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  return { url: await address(child, () => output), pid: child.pid ?? 0, output: () => output, stop }
}

const address = async (child: ChildProcess, output: () => string): Promise<string> => {
  for (;;) {
    const [, url] = /Steward listens on (\S+)/.exec(output()) ?? []
    if (url !== undefined) return url
    if (child.exitCode !== null) throw new Error(`the service does not start: ${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
