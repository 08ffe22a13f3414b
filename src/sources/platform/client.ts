import { linked, sleep as realSleep, type Sleep } from '../../concurrency/abort.ts'
import type { Statement } from '../../failures/statement.ts'
import type { Logger } from '../../runtime/log.ts'
import { SourceError } from '../source.ts'
import { statements } from '../statements.ts'
import { createTokenKeeper } from './access-token.ts'
import { type Answer, ExchangeError, exchange, type HttpRequest } from './exchange.ts'
import type { Identify } from './identified.ts'
import type { JsonObject } from './json.ts'
import { createPace, type Rate } from './pace.ts'
import { growingPauses, type Protocol, type Verdict } from './protocol.ts'
import { Refusal } from './refusal.ts'
import { createSecrecy } from './secrecy.ts'

export interface ClientOptions {
  log: Logger
  /** Replaces the platform's own limits. */
  rates?: readonly Rate[]
  /** Milliseconds for one request; default 30 s. */
  timeout?: number
  sleep?: Sleep
}

/** How a call is made. */
export interface Manner {
  signal: AbortSignal
  /** The longest pause in milliseconds that the call waits; a longer one fails. Default 5 minutes. */
  maxPause?: number
}

/** How lists of records are asked for. */
export interface ListManner extends Manner {
  /** Default: `someIdentified`. */
  identify?: Identify
}

export interface Call extends Manner {
  /** What is requested, for messages: `the people of department 12`. */
  what: Statement
}

export interface PlatformClient {
  readonly platform: string
  /**
   * The body of a successful response. Temporary failures are retried: busy, rate-limited, lost, cut off or not JSON;
   * an access token that has expired is renewed once.
   * @throws SourceError (a `Refusal` where the platform refused); the signal's reason when it aborts
   */
  call: (request: HttpRequest, call: Call) => Promise<JsonObject>
  /** Fetches a token if there is no valid one. @throws as `call` */
  signIn: (signal: AbortSignal) => Promise<void>
  /** The error for a response without a documented field. */
  malformed: (what: Statement, lacks: Statement) => SourceError
  close: () => void
}

/** Long enough to wait for the end of DingTalk's block of an address. */
const defaultMaxPause = 5 * 60 * 1000
/** The timeout for a token: the call that needs it waits as well. */
const tokenCall = statements.the_token()
/** Characters; those of the platforms have a few hundred. */
const longestToken = 10_000
const isCode = /^-?\d{1,20}$/

export const createPlatformClient = (protocol: Protocol, options: ClientOptions): PlatformClient => {
  const { platform } = protocol
  const { log, timeout = 30_000, sleep = realSleep } = options
  const pace = createPace(options.rates ?? protocol.rates, sleep)
  const secrecy = createSecrecy(protocol.secrets)
  const closing = new AbortController()

  const judge = (answer: Answer): Verdict => {
    const { body, status } = answer
    const verdict =
      body === null
        ? (protocol.judgeUnreadable?.(answer) ?? lost(statements.no_json({ shape: answer.shape })))
        : protocol.judge({ ...answer, body })
    // What the platform calls its code may be any text, and messages have it.
    const told = isCode.test(verdict.code) ? verdict : { ...verdict, code: secrecy.clean(verdict.code) }
    const passing = status >= 500 && verdict.kind === 'refused'
    return passing ? { ...told, kind: 'later', pauses: growingPauses } : told
  }
  const clean = (words: Verdict['words']): Verdict['words'] =>
    typeof words === 'string' ? secrecy.clean(words) : words
  const failure = (what: Statement, { code, words }: Verdict, tries: number): SourceError => {
    if (code === '')
      return new SourceError(
        afterTries(statements.no_usable_answer({ platform, what, problem: clean(words) }), tries),
        { advised: statements.check_address({ platform }) },
      )
    const refused = statements.refused({ platform, what, code, words: clean(words) })
    return new Refusal(afterTries(refused, tries), { code, advised: protocol.advice(code) })
  }

  /** Sends until there is a final response; `sign` is called anew for every attempt. */
  const settle = async (
    sign: (signal: AbortSignal) => Promise<{ request: HttpRequest; stale: (() => void) | null }>,
    { signal, what, maxPause = defaultMaxPause }: Call,
  ): Promise<JsonObject> => {
    let tries = 0
    let renewed = false
    for (;;) {
      const { request, stale } = await sign(signal)
      await pace.turn(signal)
      const { verdict, body } = await exchange(request, signal, timeout).then(
        (answer) => ({ verdict: judge(answer), body: answer.body }),
        (error: unknown) => {
          if (!(error instanceof ExchangeError)) throw error
          return { verdict: error.passing ? lost(error.stated) : final(error.stated), body: null }
        },
      )
      if (verdict.kind === 'ok' && body !== null) return body
      if (verdict.kind === 'stale' && stale !== null && !renewed) {
        renewed = true
        stale()
        continue
      }
      const pause = verdict.kind === 'later' ? verdict.pauses?.[tries] : undefined
      if (pause === undefined || pause > maxPause) throw failure(what, verdict, tries)
      tries += 1
      const { code, words } = verdict
      const reason = clean(words)
      log.info(
        { platform, what: what.text, code, reason: typeof reason === 'string' ? reason : reason.text, pause },
        'a platform is asked again',
      )
      if (verdict.forAll) pace.hold(pause)
      else await sleep(pause, signal)
    }
  }

  const tokens = createTokenKeeper(async (signal) => {
    const call = { signal, what: tokenCall }
    const body = await settle(async () => ({ request: protocol.tokenRequest(), stale: null }), call)
    const issued = protocol.issuedToken(body)
    if (issued === null || issued.token.length > longestToken) throw malformed(tokenCall, statements.lacks_token())
    secrecy.keep(issued.token)
    return issued
  })
  const malformed = (what: Statement, lacks: Statement): SourceError =>
    new SourceError(statements.malformed({ platform, what, lacks }), {
      advised: statements.check_address_or_platform({ platform }),
    })
  const untilClosed = async <T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const link = linked(signal, closing.signal)
    try {
      link.signal.throwIfAborted()
      return await work(link.signal)
    } finally {
      link.release()
    }
  }

  return {
    platform,
    malformed,
    call: (request, call) =>
      untilClosed(call.signal, (signal) => {
        const sign = async () => {
          const token = await tokens.get(signal)
          return { request: protocol.authorize(request, token), stale: () => tokens.drop(token) }
        }
        return settle(sign, { ...call, signal })
      }),
    async signIn(signal) {
      await untilClosed(signal, (either) => tokens.get(either))
    },
    close() {
      closing.abort(new SourceError(statements.connection_closed({ platform }), { advised: null }))
    },
  }
}

const afterTries = (problem: Statement, tries: number): Statement => {
  if (tries === 0) return problem
  return tries === 1 ? statements.after_one_try({ problem }) : statements.after_tries({ problem, count: tries })
}

const lost = (words: Statement): Verdict => ({ kind: 'later', code: '', words, pauses: growingPauses })
const final = (words: Statement): Verdict => ({ kind: 'refused', code: '', words })
