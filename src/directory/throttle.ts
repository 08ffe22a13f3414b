import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/client.ts'
import { AppError } from '../errors.ts'
import type { Attempting, ReportFailures } from '../security/alerts/attempt-alarm.ts'
import { type Admission, attemptLedger } from './attempt-ledger.ts'

/** Failures of the last 15 minutes from which attempts are delayed; the delay doubles with each up to 2 s. */
const delayedFrom = 5
const firstDelay = 125
const longestDelay = 2_000

/** Requests that may be waiting here at once; more are sent away. */
const waitingRoom = 200

/** Milliseconds between tries to be admitted while others of the same key are under way (growing), and in total. */
const retryInterval = 50
const patience = 5_000

/** What an attempt is counted for, and what of it a success clears. */
export interface Subject {
  /** `account:…`, `address:…`, … */
  counted: readonly string[]
  cleared: readonly string[]
  /** For the alarm, should it come to one. */
  who: Attempting
}

export interface Throttle {
  /**
   * Makes an attempt at something that can be guessed: null from `attempt` is a failure, anything else a success, and
   * an error counts as neither. Ten failures of one key within 15 minutes lock it for 15 minutes. Whether the key
   * belongs to anybody makes no difference.
   * @throws AppError (limited) with the seconds to wait
   */
  guard<T>(subject: Subject, attempt: () => Promise<T | null>): Promise<T | null>
}

export interface ThrottleOptions {
  db: Db
  /** Told when a key has failed so often that it is delayed, and when it is locked. */
  report: ReportFailures
  now?: () => number
}

export const openThrottle = ({ db, report, now = Date.now }: ThrottleOptions): Throttle => {
  const ledger = attemptLedger(db, now)
  let waiting = 0

  const wait = async (milliseconds: number): Promise<void> => {
    if (waiting >= waitingRoom) throw limited(longestDelay)
    waiting += 1
    await sleep(milliseconds)
    waiting -= 1
  }

  /** Counts the attempt before it is made: however many come at once, no more than ten can fail. */
  const admit = async (keys: readonly string[]): Promise<Admission & { kind: 'admitted' }> => {
    const deadline = now() + patience
    for (let tries = 1; ; tries += 1) {
      const admission = await ledger.begin(keys)
      if (admission.kind === 'admitted') return admission
      if (admission.kind === 'locked') throw limited(admission.until.getTime() - now())
      if (now() >= deadline) throw limited(longestDelay)
      // At random, so that those who wait do not all ask at once.
      await wait(retryInterval * tries * (0.5 + Math.random()))
    }
  }

  return {
    async guard({ counted, cleared, who }, attempt) {
      const { failures } = await admit(counted)
      let outcome: Awaited<ReturnType<typeof attempt>>
      try {
        if (failures >= delayedFrom) await wait(delayAfter(failures))
        outcome = await attempt()
      } catch (error) {
        await ledger.abandon(counted)
        throw error
      }
      if (outcome !== null) {
        await ledger.succeed(counted, cleared)
        return outcome
      }
      for (const failed of await ledger.fail(counted)) {
        if (failed.locked || failed.failures === delayedFrom) report(failed, who)
      }
      return null
    },
  }
}

const delayAfter = (failures: number): number => Math.min(longestDelay, firstDelay * 2 ** (failures - delayedFrom))

const limited = (milliseconds: number): AppError => {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000))
  return new AppError('limited', `too many attempts: try again in ${seconds} s`, { retryAfter: seconds })
}
