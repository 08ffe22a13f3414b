import { orAborted } from '../../concurrency/abort.ts'

export interface IssuedToken {
  token: string
  /** Seconds until it expires. */
  lifetime: number
}

export interface TokenKeeper {
  /** The present token, or a new one if there is no token or it expires soon. */
  get: (signal: AbortSignal) => Promise<string>
  /** Reports that the platform no longer accepts `token`; one that was renewed in the meantime stays. */
  drop: (token: string) => void
}

/** A token is renewed this many seconds before its end, so that it does not expire in transit. */
const early = 300

/**
 * Keeps one access token. Callers that need one at the same time share one request for it, which is aborted when no
 * caller waits any longer.
 */
export const createTokenKeeper = (obtain: (signal: AbortSignal) => Promise<IssuedToken>): TokenKeeper => {
  let current: { token: string; renewAt: number } | null = null
  let flight: { token: Promise<string>; controller: AbortController; waiting: number } | null = null

  const take = async (signal: AbortSignal): Promise<string> => {
    const { token, lifetime } = await obtain(signal)
    // A short-lived token is used for half its lifetime, so that it is not renewed for every call.
    const seconds = Math.max(lifetime - early, lifetime / 2)
    current = { token, renewAt: performance.now() + seconds * 1000 }
    return token
  }
  const depart = () => {
    const controller = new AbortController()
    const departed = { token: take(controller.signal), controller, waiting: 0 }
    const land = (): void => {
      if (flight === departed) flight = null
    }
    departed.token.then(land, land)
    return departed
  }

  return {
    async get(signal) {
      if (current && performance.now() < current.renewAt) return current.token
      flight ??= depart()
      const joined = flight
      joined.waiting += 1
      try {
        return await orAborted(joined.token, signal)
      } finally {
        joined.waiting -= 1
        if (joined.waiting === 0) {
          if (flight === joined) flight = null
          joined.controller.abort(signal.reason)
        }
      }
    },
    drop(token) {
      if (current?.token === token) current = null
    },
  }
}
