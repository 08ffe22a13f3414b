import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationLog } from '../audit/writer.ts'
import type { Journal } from '../contract/journal.ts'
import { errorCodes } from '../failures/errors.ts'
import { resultCodes } from '../ldap/result-code.ts'
import type { BindAttempt, BindThrottle } from '../ldap-server/authentication/bind-throttle.ts'
import { LdapError } from '../ldap-server/result.ts'
import { currentTime, steadyTime } from '../runtime/clock.ts'
import {
  accountKey,
  entryKey,
  knownKey,
  knownNameKey,
  knownServiceKey,
  strangersKey,
  subscriberOf,
} from '../text/throttle-keys.ts'
import type { KnownBinders } from './known-binders.ts'
import { longestDelay, type Throttle } from './throttle.ts'

export interface CountedBindsOptions {
  /** A throttle of its own: binds that wait take no place from sign-ins over HTTP. */
  throttle: Pick<Throttle, 'attempt' | 'waitAs'>
  known: KnownBinders
  journal: Pick<Journal, 'note'>
  /** Whether a refusal could be recorded now. */
  admits: OperationLog['admits']
}

/**
 * Milliseconds until a refusal is told, however it came about: the longest delay, and a check. Otherwise the time would tell
 * how many failures strangers have, and so whether the one before counted for them.
 */
export const refusedAfter = longestDelay + 500

/** HTTP has no such method, so that no request can look like a bind in the operation log. */
const method = 'LDAP'

const summaries = {
  wrong: 'Bind to the embedded directory: no such name, or a wrong password',
  locked: 'Bind to the embedded directory: locked',
} as const

/**
 * Counts binds to the embedded directory together with the sign-ins of the account, and by address: a lock here is a
 * lock there. By address, those who bound from there before are counted apart from strangers: people together, each
 * service account alone. While strangers are locked there, failures of known people lock them there only. A right password
 * does not clear earlier failures: a mail client with the right one would do so every minute. Every refusal is recorded in
 * the operation log.
 */
export const countedBinds = ({ throttle, known, journal, admits }: CountedBindsOptions): BindThrottle => {
  /** So that the response time reveals neither a lock, nor who has bound from there before, nor how many have failed. */
  const untilTold = async (started: number): Promise<void> => {
    const left = refusedAfter - (steadyTime() - started)
    if (left > 0) await sleep(left, undefined, { ref: false })
  }

  const note = (attempt: BindAttempt, reason: keyof typeof summaries, startedAt: Date): void =>
    journal.note({
      method,
      path: '/bind',
      summary: summaries[reason],
      // A name without an entry may be a password that was typed into the wrong field.
      username: attempt.entryDn === '' ? '' : (attempt.account ?? attempt.entryDn),
      authenticated: false,
      isPublic: true,
      address: attempt.address,
      userAgent: '',
      code: reason === 'locked' ? errorCodes.limited : errorCodes.unauthenticated,
      startedAt,
      milliseconds: currentTime() - startedAt.getTime(),
      ids: [],
      preview: false,
    })

  return async (attempt, check) => {
    const startedAt = new Date(currentTime())
    if (!(await admits())) {
      throw new LdapError(resultCodes.unavailable, 'the operation log cannot be written now: try again')
    }
    const { account, dnKey, entryDn, isService, address } = attempt
    const started = steadyTime()
    const named = account === null ? entryKey(dnKey) : accountKey(account)
    const binder = { name: isService ? entryKey(dnKey) : named, subscriber: subscriberOf(address) }
    /** What would have become of a stranger's attempt, once the password of one who is known has turned out wrong. */
    const stranger: { is: 'made' | 'locked' | 'crowded' } = { is: 'made' }
    const bind = async () => {
      const isKnown = await known.has(binder)
      const keyOfKnown = isService ? knownServiceKey(address, dnKey) : knownKey(address)
      // One host that still has an old password of an application must not lock out the others.
      const counted = [...(isService ? [] : [named]), isKnown ? keyOfKnown : strangersKey(address)]
      const apart = knownNameKey(address, named)
      // Who guesses is told what strangers are told, and finds the account counted elsewhere only where theirs would be.
      const failing = async (): Promise<readonly string[]> => {
        stranger.is = await throttle.waitAs(strangersKey(address)).catch(() => 'locked')
        return stranger.is === 'made' || isService ? counted : [apart, keyOfKnown]
      }
      const subject = {
        counted,
        cleared: [],
        ...(isKnown && { failing, ...(!isService && { barring: [apart] }) }),
        who: { username: account ?? (entryDn || 'names that no entry has'), address },
      }
      return throttle.attempt(subject, async () => {
        if (!(await check())) return null
        await known.note(binder)
        return true
      })
    }
    const outcome = await bind().catch((error: unknown) => {
      if (error instanceof LdapError) throw error
      throw new LdapError(resultCodes.unavailable, 'sign-ins cannot be counted now: try again')
    })
    if (outcome.kind === 'made' && outcome.result === true) return true
    if (outcome.kind === 'crowded' || stranger.is === 'crowded') {
      throw new LdapError(resultCodes.busy, 'too many sign-ins at once: try again')
    }
    await untilTold(started)
    note(attempt, outcome.kind === 'locked' ? 'locked' : 'wrong', startedAt)
    return false
  }
}
