import createClient from 'openapi-fetch'
import { calls, type NeededQuery, type OperationId, type Operations } from '../generated/calls.ts'
import type { ReasonCode } from '../generated/reason-codes.ts'
import { noteServiceTime } from './clock.ts'
import type { FieldProblem } from './field-problem.ts'
import { languageOfPage } from './language.tsx'
import { loadStatements } from './page-texts.ts'
import { hasStatements } from './translate.ts'

/** The service's address without its last slash: the shell's <base> is `<service>/console/`. */
export const serviceBase = new URL('..', document.baseURI).href.replace(/\/$/, '')

/** What a second factor may be given by, where an operation asks for one. */
export interface Challenge {
  required: string
  methods?: readonly string[]
  maxAge?: number
}

/** Why there is no answer: the service's reason, or one of ours. */
export type FailureReason =
  | ReasonCode
  | 'console.unreachable'
  | 'console.not_understood'
  /** Not sent: another administrator changed the record since it was read. */
  | 'console.changed_meanwhile'

/** A refused or failed call. */
export class Failure extends Error {
  /** The envelope's code: 409. 0 where no answer arrived. */
  readonly code: number
  readonly reason: FailureReason
  readonly params: Readonly<Record<string, string>>
  /** The fields at fault, if that is what the service complains of. */
  readonly fields: readonly FieldProblem[]
  /** Whatever else the service said, such as how to go on. */
  readonly data: unknown
  /** Seconds to wait, where the service says so. */
  readonly retryAfter: number | null
  readonly requestId: string | null

  constructor(
    message: string,
    about: {
      code: number
      reason: FailureReason
      params?: Readonly<Record<string, string>>
      data?: unknown
      retryAfter?: number | null
      requestId?: string | null
      cause?: unknown
    },
  ) {
    super(message, { cause: about.cause })
    this.name = 'Failure'
    this.code = about.code
    this.reason = about.reason
    this.params = about.params ?? {}
    this.data = about.data ?? null
    this.fields = areFieldProblems(about.data) ? about.data : []
    this.retryAfter = about.retryAfter ?? null
    this.requestId = about.requestId ?? null
  }

  /** What is asked for before the operation can be done, such as a second factor. */
  get challenge(): Challenge | null {
    const { data } = this
    if (typeof data !== 'object' || data === null || !('required' in data)) return null
    return data as Challenge
  }
}

const areFieldProblems = (data: unknown): data is FieldProblem[] =>
  Array.isArray(data) && data.every((each) => typeof each === 'object' && each !== null && 'field' in each)

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never
type Success<Id extends OperationId> = Operations[Id] extends { responses: { 200: infer Ok } }
  ? Extract<Json<Ok>, { code: 0 | 200 }>
  : never

/** The `data` of an operation's success. */
export type Data<Id extends OperationId> = Success<Id> extends { data: infer D } ? D : null

type Parameters<Id extends OperationId, Where extends 'path' | 'query'> = Operations[Id] extends {
  parameters: { [K in Where]?: infer P }
}
  ? NonNullable<P>
  : never
type QueryOf<Id extends OperationId> = Id extends keyof NeededQuery
  ? Partial<Parameters<Id, 'query'>> & Pick<Parameters<Id, 'query'>, NeededQuery[Id] & keyof Parameters<Id, 'query'>>
  : Partial<Parameters<Id, 'query'>>

/** The body of an operation's request. */
export type Body<Id extends OperationId> = Operations[Id] extends { requestBody?: infer B }
  ? Json<NonNullable<B>>
  : never

/** What an operation is called with. */
export type Input<Id extends OperationId> = ([Parameters<Id, 'path'>] extends [never]
  ? { path?: never }
  : { path: Parameters<Id, 'path'> }) &
  (Id extends keyof NeededQuery ? { query: QueryOf<Id> } : { query?: QueryOf<Id> }) &
  ([Body<Id>] extends [never] ? { body?: never } : { body: Body<Id> })

/** A success with what the service says of it. */
export interface Answered<Id extends OperationId> {
  data: Data<Id>
  message: string
}

interface Envelope {
  code: number
  data?: unknown
  msg?: string
  message?: string
  reason?: ReasonCode
  params?: Record<string, string>
}

const client = createClient<Record<string, never>>({
  baseUrl: serviceBase,
  credentials: 'same-origin',
  // No form of another site can send it, so a change is ours.
  headers: { 'x-steward-console': '1' },
})

interface LooseClient {
  request(method: string, url: string, init: object): Promise<{ data?: unknown; error?: unknown; response: Response }>
}

/** What is known of the caller: who they are, and what their roles grant. */
type CallerQuery = 'getMe' | 'getMyGrants'

let readAgain = (_query: CallerQuery): void => {}

/** Sets what is done when an answer says that the session is over, or that the caller's grants are others by now. */
export const onCallerChanged = (then: (query: CallerQuery) => void): void => {
  readAgain = then
}

/** A refusal may say that what is known of the caller is out of date. */
const checkCaller = ({ code, reason, challenge }: Failure, method: string): void => {
  // What asks for a second factor is 401 too, and its session goes on.
  if (code === 401 && challenge === null) readAgain('getMe')
  // The user may not see what is shown any more. A refused form stays as it is, with what was typed.
  if (reason === 'access.not_granted' && method === 'GET') readAgain('getMyGrants')
}

/** How long an answer is waited for, in milliseconds: longer than one takes, and than a proxy waits. */
const timeout = 120_000

/** It reads a whole file, which may be of any size. */
const unhurried: OperationId = 'getBackupContents'

/**
 * A signal that ends with this one, or when there was no answer for so long: a connection that died without a word, as where
 * the network changed, would be waited for until someone loads the page anew.
 */
const limited = (signal: AbortSignal): { limit: AbortController; answered(): void } => {
  const limit = new AbortController()
  const end = (): void => limit.abort()
  const timer = setTimeout(end, timeout)
  signal.addEventListener('abort', end)
  return { limit, answered: () => clearTimeout(timer) }
}

/** Calls an operation. @param signal of what only reads: it is not waited for without end. @throws Failure */
export const call = async <Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Answered<Id>> => {
  const { method, url } = calls[id]
  const { path, query, body } = input as { path?: object; query?: object; body?: object }
  let sent: Awaited<ReturnType<LooseClient['request']>>
  const asked = Date.now()
  const waiting = signal && id !== unhurried ? limited(signal) : undefined
  try {
    sent = await (client as unknown as LooseClient).request(method.toLowerCase(), url, {
      params: { path, query },
      // The service lets browsers keep some responses for minutes; after a change, the page has to show what is.
      ...(method === 'GET' ? { cache: 'no-cache' } : { body: body ?? {} }),
      ...(signal && { signal: waiting?.limit.signal ?? signal }),
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    // A response that is not JSON comes from a proxy, or was cut off.
    const reason = cause instanceof SyntaxError ? 'console.not_understood' : 'console.unreachable'
    // What was waited for so long is not asked again by itself, as what fails at once is.
    const code = waiting?.limit.signal.aborted ? 504 : 0
    throw new Failure('The service did not answer', { code, reason, cause })
  } finally {
    waiting?.answered()
  }
  const { response } = sent
  noteServiceTime(response, asked)
  const answer = (sent.data ?? sent.error) as Envelope | string | undefined
  const requestId = response.headers.get('x-request-id')
  if (typeof answer !== 'object' || answer === null || typeof answer.code !== 'number') {
    throw new Failure('The service did not answer', {
      code: response.status,
      reason: 'console.not_understood',
      retryAfter: secondsIn(response),
      requestId,
    })
  }
  if (answer.code === 0 || answer.code === 200) {
    return { data: answer.data as Data<Id>, message: answer.msg ?? answer.message ?? '' }
  }
  const failure = failureOf(response, answer)
  // Its reason can be translated, by texts that are loaded when they are needed.
  if ([failure, ...failure.fields].some(({ params }) => hasStatements(params))) await loadStatements(languageOfPage())
  if (id !== 'getMe') checkCaller(failure, method)
  throw failure
}

/** Fetches the file of an operation, with one call. The browser keeps a large one on its disk. @throws Failure */
export const fetchFile = async (address: string): Promise<Blob> => {
  const lost = (cause: unknown): never => {
    throw new Failure('The service did not answer', { code: 0, reason: 'console.unreachable', cause })
  }
  const response = await fetch(address, { credentials: 'same-origin' }).catch(lost)
  // A file whose connection was closed before its end is not kept: it fails here.
  if (response.ok) return response.blob().catch(lost)
  const failure = failureOf(response, (await response.json().catch(lost)) as Envelope)
  checkCaller(failure, 'GET')
  throw failure
}

/** How long the service, or a proxy before it, says to wait. */
const secondsIn = (response: Response): number | null => {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : null
}

const failureOf = (response: Response, answer: Envelope): Failure =>
  new Failure(answer.msg ?? answer.message ?? '', {
    code: answer.code,
    reason: answer.reason ?? 'console.not_understood',
    params: answer.params ?? {},
    data: answer.data,
    retryAfter: secondsIn(response),
    requestId: response.headers.get('x-request-id'),
  })

/** The address of an operation that answers with a file or a page, for links. */
export const addressOf = <Id extends OperationId>(
  id: Id,
  { path = {}, query = {} }: Partial<Input<Id>> = {},
): string => {
  const filled = calls[id].url.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((path as Record<string, unknown>)[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    if (value !== undefined && value !== null && value !== '') search.append(name, String(value))
  }
  return `${serviceBase}${filled}${search.size === 0 ? '' : `?${search}`}`
}
