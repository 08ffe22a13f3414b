import { randomBytes } from 'node:crypto'
import { resultCodes } from '../../ldap/result-code.ts'
import type { StoredEntry } from '../entries/entry.ts'
import { LdapError } from '../result.ts'

/** A search that is suspended between two pages. */
export interface Progress {
  candidates: Iterator<StoredEntry, void>
  /** Found already: the first entry of the next page. */
  ahead: StoredEntry | null
  /** Entries answered over all pages. */
  sent: number
  /** What every page's answer says besides, such as whether it is sorted. */
  controls: readonly Buffer[]
}

export interface OpenPagesLimits {
  /** Suspended searches of one connection. */
  openPages: number
  /** Suspended searches of all connections that are bound as the same name. */
  openPagesOfOne: number
}

/** The paged searches of one connection. */
export interface OpenPages {
  /** @returns the cookie that resumes it, once */
  keep(who: string, progress: Progress): string
  /** @throws LdapError unwillingToPerform for a cookie that does not belong to this connection */
  resume(cookie: string): Progress
  drop(cookie: string): void
  /** Forgets all searches: after a new bind, and at the end of the connection. */
  clear(): void
}

interface Suspended {
  progress: Progress
  who: string
}

const oldestOf = <T>(keys: Iterable<T>): T | undefined => {
  for (const key of keys) return key
  return undefined
}

/**
 * The paged searches of all connections. Above a limit the one suspended longest is dropped. This is not a cache: what
 * one limit drops, the other forgets too.
 */
export const pageRegistry = ({ openPages, openPagesOfOne }: OpenPagesLimits) => {
  /** By name: the cookies of its searches, each with the function that drops it. */
  const ofNames = new Map<string, Map<string, () => void>>()

  return (): OpenPages => {
    const open = new Map<string, Suspended>()
    const forget = (cookie: string): Suspended | undefined => {
      const suspended = open.get(cookie)
      open.delete(cookie)
      const others = suspended && ofNames.get(suspended.who)
      others?.delete(cookie)
      if (suspended && others?.size === 0) ofNames.delete(suspended.who)
      return suspended
    }
    return {
      keep(who, progress) {
        const ofName = ofNames.get(who) ?? new Map<string, () => void>()
        const oldestOfName = oldestOf(ofName.values())
        if (ofName.size >= openPagesOfOne) oldestOfName?.()
        const oldest = oldestOf(open.keys())
        if (open.size >= openPages && oldest !== undefined) forget(oldest)
        const cookie = randomBytes(9).toString('base64')
        open.set(cookie, { progress, who })
        ofName.set(cookie, () => forget(cookie))
        ofNames.set(who, ofName)
        return cookie
      },
      resume(cookie) {
        const suspended = forget(cookie)
        if (!suspended) throw new LdapError(resultCodes.unwillingToPerform, 'paged results cookie is invalid or old')
        return suspended.progress
      },
      drop: (cookie) => void forget(cookie),
      clear() {
        for (const cookie of [...open.keys()]) forget(cookie)
      },
    }
  }
}
