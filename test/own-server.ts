import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'

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

export interface OwnServerOptions {
  binary: string
  /** Such that it stays in the foreground. */
  args: readonly string[]
  /** Whether it can be used by now. */
  answers: () => Promise<boolean>
}

/** Starts a server that ends with the test, or with this process however that ends. */
export const ownServer = async (
  t: Pick<Test, 'teardown'>,
  { binary, args, answers }: OwnServerOptions,
): Promise<OwnServer> => {
  let child: ChildProcess | null = null
  const killAtExit = (): void => {
    child?.kill('SIGKILL')
  }

  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    const running = child
    if (running === null) return
    const gone = once(running, 'exit')
    running.kill(signal)
    // A frozen process takes no other signal than SIGKILL.
    running.kill('SIGCONT')
    await gone
  }

  const start = async (): Promise<void> => {
    if (child !== null) return
    const started = spawn(binary, args, { stdio: 'ignore' })
    child = started
    started.once('exit', (_, signal) => {
      if (child === started) child = null
      // After a crash of its own it is started again, as a service manager does. (slapd 2.5 may crash when a client is
      // killed during a transaction.)
      if (signal === 'SIGSEGV' || signal === 'SIGABRT') start().catch(() => undefined)
    })
    for (let waited = 0; !(await answers()); waited += 10) {
      if (child !== started) {
        throw new Error(`${basename(binary)} ended at once (${started.exitCode ?? started.signalCode})`)
      }
      if (waited > 15_000) throw new Error(`${basename(binary)} does not answer`)
      await delay(10)
    }
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
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  }
}
