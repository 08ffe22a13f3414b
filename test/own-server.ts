import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Test } from 'tap'
import { eventually } from './eventually.ts'

/** A server that is there for one test. */
export interface OwnServer {
  /** Null while it is stopped. */
  readonly pid: number | null
  /** Ends the server and waits until it is gone; `SIGKILL` for a crash. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Starts it again, on the same port and data. */
  start(): Promise<void>
  /** Stops answering, with all connections open (SIGSTOP), until `thaw`. */
  freeze(): void
  thaw(): void
}

/** Whether the process goes on; only Linux says so. */
const isRunning = (pid: number): boolean => {
  const file = `/proc/${pid}/stat`
  return existsSync(file) && !/\) [TZX] /.test(readFileSync(file, 'utf8'))
}

export interface OwnServerOptions {
  binary: string
  /** Such that it stays in the foreground. */
  args: readonly string[]
  /** Where it prints, as the number of an open file; default: nowhere. */
  stdout?: number
  /** Whether it can be used by now. */
  answers: () => Promise<boolean>
}

/** Starts a server that ends with the test, or with this process however that ends. */
export const ownServer = async (
  t: Pick<Test, 'teardown'>,
  { binary, args, stdout, answers }: OwnServerOptions,
): Promise<OwnServer> => {
  let child: ChildProcess | null = null
  const killAtExit = (): void => {
    child?.kill('SIGKILL')
  }

  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    const running = child
    if (running === null) return
    const gone = once(running, 'exit')
    // A crash on the way is an end all the same.
    child = null
    running.kill(signal)
    // A frozen process takes no other signal than SIGKILL.
    running.kill('SIGCONT')
    await gone
  }

  const start = async (): Promise<void> => {
    if (child !== null) return
    const started = spawn(binary, args, { stdio: ['ignore', stdout ?? 'ignore', 'ignore'] })
    child = started
    started.once('exit', (_, signal) => {
      const isWanted = child === started
      if (isWanted) child = null
      // After a crash of its own it is started again, as a service manager does. (slapd 2.5 may crash when a client is
      // killed during a transaction.)
      if (isWanted && (signal === 'SIGSEGV' || signal === 'SIGABRT')) start().catch(() => undefined)
    })
    await eventually(
      async () => {
        const ready = await answers()
        if (child === started) return ready
        throw new Error(`${basename(binary)} ended at once (${started.exitCode ?? started.signalCode})`)
      },
      `${basename(binary)} answers`,
    )
  }

  t.teardown(async () => {
    await stop('SIGKILL')
    process.off('exit', killAtExit)
  })
  process.once('exit', killAtExit)
  await start()
  return {
    get pid() {
      return child?.pid ?? null
    },
    stop,
    start,
    freeze: () => {
      child?.kill('SIGSTOP')
      // The signal takes a moment to arrive.
      while (child?.pid && isRunning(child.pid)) {}
    },
    thaw: () => void child?.kill('SIGCONT'),
  }
}
