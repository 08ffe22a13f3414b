import { resultCodes } from '../../ldap/result-code.ts'
import { LdapError } from '../result.ts'

export interface FairQueueOptions {
  /** Tasks that run at one time: of all names, and of one. */
  running: number
  runningOfOne: number
  /** Tasks of one name that may wait. */
  waitingOfOne: number
}

interface Line {
  running: number
  waiting: (() => void)[]
}

/**
 * Runs a few tasks at a time. Names take turns, so that many tasks of one name delay another name by one task at most.
 * @throws LdapError busy where too many tasks of that name wait already
 */
export const fairQueue = ({ running: max, runningOfOne, waitingOfOne }: FairQueueOptions) => {
  /** In the order of their turns. */
  const lines = new Map<string, Line>()
  let running = 0

  const startNext = (): void => {
    for (const [name, line] of lines) {
      if (running >= max) return
      const start = line.running < runningOfOne ? line.waiting.shift() : undefined
      if (!start) continue
      running += 1
      line.running += 1
      lines.delete(name)
      lines.set(name, line)
      start()
    }
  }

  return async <T>(name: string, task: () => Promise<T>): Promise<T> => {
    const line = lines.get(name) ?? { running: 0, waiting: [] }
    if (line.waiting.length >= waitingOfOne) throw new LdapError(resultCodes.busy, 'too many at once: try again')
    lines.set(name, line)
    await new Promise<void>((resolve) => {
      line.waiting.push(resolve)
      startNext()
    })
    try {
      return await task()
    } finally {
      running -= 1
      line.running -= 1
      if (line.running === 0 && line.waiting.length === 0) lines.delete(name)
      startNext()
    }
  }
}

export type FairQueue = ReturnType<typeof fairQueue>
