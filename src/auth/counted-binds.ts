import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationLog } from '../audit/writer.ts'
import type { Journal } from '../contract/journal.ts'
import { errorCodes } from '../failures/errors.ts'
import { resultCodes } from '../ldap/result-code.ts'
import type { BindAttempt, BindThrottle } from '../ldap-server/authentication/bind-throttle.ts'
import { LdapError } from '../ldap-server/result.ts'
import { currentTime } from '../runtime/clock.ts'
import { accountKey, directoryAddressKey, entryKey } from '../text/throttle-keys.ts'
import { longestDelay, type Throttle } from './throttle.ts'

export interface CountedBindsOptions {
  /** A throttle of its own: binds that wait take no place from sign-ins over HTTP. */
  throttle: Pick<Throttle, 'attempt'>
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
 * lock there. A right password does not clear earlier failures: a mail client with the right one would do so every
 * minute. Every refusal is recorded in the operation log.
 */
export const countedBinds = ({ throttle, journal, admits }: CountedBindsOptions): BindThrottle => {
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
    const named = account === null ? entryKey(dnKey) : accountKey(account)
    const subject = {
      // One host that still has an old password of an application must not lock out the others.
      counted: [...(isService ? [] : [named]), directoryAddressKey(address)],
      cleared: [],
      who: { username: account ?? (entryDn || 'names that no entry has'), address },
    }
    const outcome = await throttle
      .attempt(subject, async () => ((await check()) ? true : null))
      .catch((error: unknown) => {
        if (error instanceof LdapError) throw error
        throw new LdapError(resultCodes.unavailable, 'sign-ins cannot be counted now: try again')
      })
    if (outcome.kind === 'crowded') throw new LdapError(resultCodes.busy, 'too many sign-ins at once: try again')
    if (outcome.kind === 'made' && outcome.result === true) return true
    // As long as the last attempt before the lock, so that the response time does not reveal the lock.
    if (outcome.kind === 'locked') await sleep(longestDelay, undefined, { ref: false })
    note(attempt, outcome.kind === 'locked' ? 'locked' : 'wrong', startedAt)
    return false
  }
}
