import type { IssuedToken } from './access-token.ts'
import type { Answer, HttpRequest } from './exchange.ts'
import type { JsonObject } from './json.ts'
import type { Rate } from './pace.ts'

/** What an answer means, in the platform's own code and words. */
export interface Verdict {
  /**
   * - `ok`: the body holds what was asked for.
   * - `stale`: the access token is not (any longer) good.
   * - `later`: the same request may be answered after a pause.
   * - `refused`: asking again is pointless.
   */
  kind: 'ok' | 'stale' | 'later' | 'refused'
  code: string
  words: string
  /** With `later`: milliseconds before the second try, the third, and so on; no more tries than these. */
  pauses?: readonly number[]
  /** With `later`: nobody else is to ask before the pause is over either. */
  everybody?: boolean
}

/** What the three platforms do differently. */
export interface Protocol {
  /** As it is called in messages. */
  platform: string
  rates: readonly Rate[]
  /** Never shown, whatever quotes them. */
  secrets: readonly string[]
  tokenRequest: () => HttpRequest
  /** null: the answer holds no token. */
  issuedToken: (body: JsonObject) => IssuedToken | null
  /** Adds the token to a request. */
  authorize: (request: HttpRequest, token: string) => HttpRequest
  judge: (answer: Answer & { body: JsonObject }) => Verdict
  /** Of an answer that is no JSON; without it such an answer counts as a passing disturbance. */
  judgeUnreadable?: (answer: Answer) => Verdict
  /** What an administrator can do about a code of the platform; '' where there is nothing particular. */
  advice: (code: string) => string
}

/** Milliseconds between tries when a platform is busy or an answer gets lost: at most three more. */
export const growingPauses: readonly number[] = [1000, 2000, 4000]
