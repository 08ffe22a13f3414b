import { randomBytes } from 'node:crypto'

export interface Tokens {
  /** The current token, the same one while it is valid; `renew` sets its lifetime to the full again. */
  issue: (options?: { renew?: boolean }) => { token: string; secondsLeft: number }
  check: (token: string | null | undefined) => 'good' | 'missing' | 'unknown' | 'expired'
  /** Ends all tokens handed out so far. */
  expire: () => void
}

/** @param lifetime seconds */
export const openTokens = ({ lifetime, prefix }: { lifetime: number; prefix: string }): Tokens => {
  const ends = new Map<string, number>()
  let current: string | undefined

  return {
    issue: ({ renew = false } = {}) => {
      const left = (ends.get(current ?? '') ?? 0) - Date.now()
      if (current === undefined || left <= 0) current = `${prefix}${randomBytes(18).toString('base64url')}`
      if (renew || left <= 0) ends.set(current, Date.now() + lifetime * 1000)
      return { token: current, secondsLeft: Math.ceil(((ends.get(current) ?? 0) - Date.now()) / 1000) }
    },
    check: (token) => {
      if (token === null || token === undefined || token === '') return 'missing'
      const end = ends.get(token)
      if (end === undefined) return 'unknown'
      return end > Date.now() ? 'good' : 'expired'
    },
    expire: () => {
      current = undefined
      for (const token of ends.keys()) ends.set(token, 0)
    },
  }
}
