import type { Statement } from '../../failures/statement.ts'
import type { IssuedToken } from './access-token.ts'
import type { Answer, HttpRequest } from './exchange.ts'
import type { JsonObject } from './json.ts'
import type { Rate } from './pace.ts'

/** The meaning of a response, by the platform's own code and message. */
export interface Verdict {
  /**
   * - `ok`: the body has the requested data.
   * - `stale`: the access token is not valid, or no longer.
   * - `later`: the same request may succeed after a pause.
   * - `refused`: a retry is pointless.
   */
  kind: 'ok' | 'stale' | 'later' | 'refused'
  code: string
  /** The platform's own words; ours are a statement. */
  words: string | Statement
  /** With `later`: the pauses in milliseconds before each retry; their number limits the retries. */
  pauses?: readonly number[]
  /** With `later`: all other calls wait for the end of the pause too. */
  forAll?: boolean
}

/** The differences between the three platforms. */
export interface Protocol {
  /** The name in messages. */
  platform: string
  rates: readonly Rate[]
  /** Removed from every message. */
  secrets: readonly string[]
  tokenRequest: () => HttpRequest
  /** null: the response has no token. */
  issuedToken: (body: JsonObject) => IssuedToken | null
  /** Adds the token to a request. */
  authorize: (request: HttpRequest, token: string) => HttpRequest
  judge: (answer: Answer & { body: JsonObject }) => Verdict
  /** For a response that is not JSON; without it such a response counts as a temporary failure. */
  judgeUnreadable?: (answer: Answer) => Verdict
  /** The advice for a code of the platform; null without particular advice. */
  advice: (code: string) => Statement | null
}

/** Milliseconds between attempts when a platform is busy or a response is lost: at most three retries. */
export const growingPauses: readonly number[] = [1000, 2000, 4000]
