import { setTimeout as sleep } from 'node:timers/promises'
import type { SQL } from 'drizzle-orm'
import type { Attempting, ReportFailures } from '../alerts/attempt-alerts.ts'
import type { Db } from '../db/client.ts'
import type { AppError } from '../failures/errors.ts'
import { currentTime } from '../runtime/clock.ts'
import { type Admission, type AttemptEnd, attemptCounter, delayedFrom, endOf } from './attempt-counter.ts'
import { reasons } from './reasons.ts'

/** The delay doubles with each failure above those without a delay. */
const firstDelay = 125
export const longestDelay = 2_000

/** Requests that may wait here at once; more are refused. */
const waitingRoom = 200

/**
 * Milliseconds between attempts to be admitted while others of the same key are in progress (growing), and in total.
 */
const retryInterval = 50
const timeout = 5_000

/** The keys of an attempt, and which of them a success clears. */
export interface Subject {
  /** `account:…`, `address:…`, … */
  counted: readonly string[]
  cleared: readonly string[]
  /** Keys that are not counted, whose locks refuse the attempt too. Default: none. */
  barring?: readonly string[]
  /** Asked when the attempt has failed: the keys that the failure counts for. Default: `counted`. */
  failing?: () => Promise<readonly string[]>
  /** For an alert. */
  who: Attempting
}

/** The result of an attempt. */
export type Outcome<T> =
  /** null: it failed. */
  | { kind: 'made'; result: T | null }
  | { kind: 'locked'; until: Date }
  /** Too many are in progress to decide whether it may be made. */
  | { kind: 'crowded' }

/** An attempt that is being made. */
export interface Ongoing {
  /**
   * Does what the attempt is for and counts its success in one statement, with `successSteps` of attempt-counter.ts.
   * @param run sends it with these values; null: it did neither
   * @param isDone whether it did both, asked only if its answer is lost
   */
  succeed<T>(run: (values: AttemptEnd) => Promise<T | null>, isDone: () => SQL): Promise<T | null>
}

/**
 * Like `run`, for an attempt at something that is read together with its beginning: null, it does not exist.
 * @param values of the placeholders of the query
 */
export type RunReading<Found> = <T>(
  subject: Subject,
  values: Readonly<Record<string, unknown>>,
  attempt: (found: Found | null, ongoing: Ongoing) => Promise<T | null>,
) => Promise<T | null>

export interface Throttle {
  /** Like `run`, for a caller that handles refusals itself. */
  attempt<T>(subject: Subject, attempt: () => Promise<T | null>): Promise<Outcome<T>>
  /** Waits as an attempt of this key alone would before it is made. @returns whether it would be; nothing is counted */
  waitAs(key: string): Promise<'made' | 'locked' | 'crowded'>
  /** @param query of one JSON value in at most one row; after a delay it is read again */
  reading<Found>(query: SQL): RunReading<Found>
  /**
   * Makes an attempt at something that can be guessed: null from `attempt` is a failure, any other result a success,
   * and an error counts as neither. Ten failures of one key within 15 minutes lock it for 15 minutes, whether the key
   * belongs to a user or not.
   * @throws AppError (limited) with the seconds to wait
   */
  run<T>(subject: Subject, attempt: () => Promise<T | null>): Promise<T | null>
}

export interface ThrottleOptions {
  db: Db
  /** Called when a key has failed so often that it is delayed, and when it is locked. */
  report: ReportFailures
  now?: () => number
}

export const openThrottle = ({ db, report, now = currentTime }: ThrottleOptions): Throttle => {
  const counter = attemptCounter(db, now)
  let waiting = 0

  /** @returns false where too many wait already */
  const wait = async (milliseconds: number): Promise<boolean> => {
    if (waiting >= waitingRoom) return false
    waiting += 1
    await sleep(milliseconds)
    waiting -= 1
    return true
  }

  /** Counts the attempt before it is made: however many are concurrent, no more than ten can fail. */
  const admit = async <Found>(begin: () => Promise<Admission<Found>>): Promise<Admission<Found>> => {
    const deadline = now() + timeout
    for (let tries = 1; ; tries += 1) {
      const admission = await begin()
      if (admission.kind !== 'full' || now() >= deadline) return admission
      // At random, so that waiting requests do not all retry at once.
      if (!(await wait(retryInterval * tries * (0.5 + Math.random())))) return admission
    }
  }

  const make = async <Found, T>(
    begin: () => Promise<Admission<Found>>,
    { counted, cleared, failing = async () => counted, who }: Subject,
    attempt: (found: Found | null, ongoing: Ongoing) => Promise<T | null>,
    again: () => Promise<Found | null> = async () => null,
  ): Promise<Outcome<T>> => {
    const admission = await admit(begin)
    if (admission.kind === 'locked') return admission
    if (admission.kind === 'full') return { kind: 'crowded' }
    let isCounted = false
    let mayBeCounted: (() => SQL) | undefined
    const ongoing: Ongoing = {
      async succeed(run, isDone) {
        mayBeCounted = isDone
        const result = await run(endOf(counted, cleared))
        isCounted = result !== null
        return result
      },
    }
    let result: T | null
    try {
      const isDelayed = admission.beyond >= 0
      if (isDelayed && !(await wait(delayAfter(admission.beyond)))) {
        await counter.abandon(counted)
        return { kind: 'crowded' }
      }
      result = await attempt(isDelayed ? await again() : admission.found, ongoing)
    } catch (error) {
      await counter.abandon(counted, mayBeCounted?.())
      throw error
    }
    if (result !== null) {
      if (!isCounted) await counter.succeed(counted, cleared)
      return { kind: 'made', result }
    }
    const failed = await failing()
    const spared = counted.filter((key) => !failed.includes(key))
    if (spared.length > 0) await counter.abandon(spared)
    for (const each of await counter.fail(failed)) {
      if (each.locked || each.failures === delayedFrom(each.key)) report(each, who)
    }
    return { kind: 'made', result }
  }

  const attempt: Throttle['attempt'] = (subject, run) =>
    make(() => counter.begin(subject.counted, subject.barring), subject, run)

  const resultOf = <T>(outcome: Outcome<T>): T | null => {
    if (outcome.kind === 'locked') throw limited(outcome.until.getTime() - now())
    if (outcome.kind === 'crowded') throw limited(longestDelay)
    return outcome.result
  }

  return {
    attempt,
    async waitAs(key) {
      const admission = await admit(() => counter.standing(key))
      if (admission.kind === 'locked') return 'locked'
      if (admission.kind === 'full') return 'crowded'
      return admission.beyond < 0 || (await wait(delayAfter(admission.beyond))) ? 'made' : 'crowded'
    },
    run: async (...attempting) => resultOf(await attempt(...attempting)),
    reading<Found>(query: SQL): RunReading<Found> {
      const { begin, again } = counter.beginReading<Found>(query)
      return async (subject, values, attempt) =>
        resultOf(
          await make(
            () => begin(subject.counted, subject.barring, values),
            subject,
            attempt,
            () => again(values),
          ),
        )
    },
  }
}

const delayAfter = (beyond: number): number => Math.min(longestDelay, firstDelay * 2 ** beyond)

const limited = (milliseconds: number): AppError => {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000))
  return reasons.too_many_attempts({ seconds }, { retryAfter: seconds })
}
