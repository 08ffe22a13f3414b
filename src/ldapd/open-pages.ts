import { randomBytes } from 'node:crypto'
import type { StoredEntry } from './entry.ts'
import { LdapError, resultCode } from './result.ts'

/** A search that rests between two pages. */
export interface Progress {
  candidates: Iterator<StoredEntry, void>
  /** Found already, to be the first of the next page. */
  ahead: StoredEntry | null
  /** Entries answered over all pages. */
  sent: number
}

/** The paged searches of one connection. Beyond the limit the one that rests longest is forgotten. */
export const openPages = (limit: number) => {
  const open = new Map<string, Progress>()
  return {
    /** @returns the cookie that brings it back, once */
    keep(progress: Progress): string {
      const [oldest] = open.keys()
      if (open.size >= limit && oldest !== undefined) open.delete(oldest)
      const cookie = randomBytes(9).toString('base64')
      open.set(cookie, progress)
      return cookie
    },
    /** @throws LdapError unwillingToPerform for a cookie that is not one of this connection's */
    resume(cookie: string): Progress {
      const progress = open.get(cookie)
      if (!progress) throw new LdapError(resultCode.unwillingToPerform, 'paged results cookie is invalid or old')
      open.delete(cookie)
      return progress
    },
    drop(cookie: string): void {
      open.delete(cookie)
    },
    /** A new bind ends what the old identity began. */
    clear(): void {
      open.clear()
    },
  }
}

export type OpenPages = ReturnType<typeof openPages>
