import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationLog } from '../audit/writer.ts'
import type { Journal } from '../contract/journal.ts'
import { errorCodes } from '../failures/errors.ts'
import { resultCodes } from '../ldap/result-code.ts'
import type { BindAttempt, BindThrottle } from '../ldap-server/authentication/bind-throttle.ts'
import { LdapError } from '../ldap-server/result.ts'
import { currentTime, steadyTime } from '../runtime/clock.ts'
import { accountKey, entryKey, knownKey, knownServiceKey, strangersKey, subscriberOf } from '../text/throttle-keys.ts'
import type { KnownBinders } from './known-binders.ts'
import { longestDelay, type Throttle } from './throttle.ts'

export interface CountedBindsOptions {
  /** A throttle of its own: binds that wait take no place from sign-ins over HTTP. */
  throttle: Pick<Throttle, 'attempt' | 'delayOf'>
  known: KnownBinders
  journal: Pick<Journal, 'note'>
  /** Whether a refusal could be recorded now. */
  admits: OperationLog['admits']
}

/** HTTP has no such method, so that no request can look like a bind in the operation log. */
const method = 'LDAP'

const summaries = {
  wrong: 'Bind to the embedded directory: no such name, or a wrong password',
  locked: 'Bind to the embedded directory: locked',
} as const

/**
 * Counts binds to the embedded directory together with the sign-ins of the account, and by address: a lock here is a
 * lock there. By address, those who bound from there before are counted apart from strangers: people together, each
 * service account alone. A right password does not clear earlier failures: a mail client with the right one would do so
 * every minute. Every refusal is recorded in the operation log.
 */
export const countedBinds = ({ throttle, known, journal, admits }: CountedBindsOptions): BindThrottle => {
  const untilSpent = async (milliseconds: number, spent: number): Promise<void> => {
    if (milliseconds > spent) await sleep(milliseconds - spent, undefined, { ref: false })
  }

  /** Waits until a stranger would be refused, so that the response time does not tell who has bound from there before. */
  const asLateAsStrangers = async (address: string, started: number, checked: number): Promise<void> => {
    // The attempt has been counted: that the database fails now must not take its record away.
    const delay = await throttle.delayOf(strangersKey(address)).catch(() => 'locked' as const)
    if (delay === 'locked') return untilLockTold(started)
    // A stranger waits before the check.
    await untilSpent(delay, checked - started)
  }

  /**
   * As long as the last attempt before the lock, so that the response time does not reveal the lock. What it took to find the
   * lock, or to check the password of one who is known, is part of that.
   */
  const untilLockTold = (started: number): Promise<void> => untilSpent(longestDelay, steadyTime() - started)

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
    let checked = started
    const named = account === null ? entryKey(dnKey) : accountKey(account)
    const binder = { name: isService ? entryKey(dnKey) : named, subscriber: subscriberOf(address) }
    const bind = async () => {
      const isKnown = await known.has(binder)
      const keyOfKnown = isService ? knownServiceKey(address, dnKey) : knownKey(address)
      const subject = {
        // One host that still has an old password of an application must not lock out the others.
        counted: [...(isService ? [] : [named]), isKnown ? keyOfKnown : strangersKey(address)],
        cleared: [],
        who: { username: account ?? (entryDn || 'names that no entry has'), address },
      }
      const outcome = await throttle.attempt(subject, async () => {
        checked = steadyTime()
        if (!(await check())) return null
        await known.note(binder)
        return true
      })
      if (isKnown && outcome.kind === 'made' && outcome.result === null) {
        await asLateAsStrangers(address, started, checked)
      }
      return outcome
    }
    const outcome = await bind().catch((error: unknown) => {
      if (error instanceof LdapError) throw error
      throw new LdapError(resultCodes.unavailable, 'sign-ins cannot be counted now: try again')
    })
    if (outcome.kind === 'crowded') throw new LdapError(resultCodes.busy, 'too many sign-ins at once: try again')
    if (outcome.kind === 'made' && outcome.result === true) return true
    if (outcome.kind === 'locked') await untilLockTold(started)
    note(attempt, outcome.kind === 'locked' ? 'locked' : 'wrong', startedAt)
    return false
  }
}
