/**
 * The types of generated handler interfaces. `Operation` is an entry of openapi-typescript's `operations`. They do not
 * depend on Fastify.
 */
import type { Readable } from 'node:stream'
import type { MediaType } from './document.ts'

/** The caller: loaded once per session, cached, and dropped when any data it depends on changes. */
export interface Principal {
  userId: number
  username: string
  sessionId: string
  /**
   * The smallest `sort` of the user's enabled roles: a smaller number is a higher rank. 1000 (the lowest) without a
   * role.
   */
  rank: number
  /** Enabled roles only. */
  roleIds: readonly number[]
  /** Set where the session may do nothing else before the user has enrolled an authenticator app (SECOND_FACTOR). */
  required?: 'enrolment'
  /** Of a request: the operation, where a role has to grant it. */
  operation?: { method: string; path: string }
  /** Whether the roles grant this operation, for example `('POST', '/user/add')`; the path is relative to `/api`. */
  may: (method: string, path: string) => boolean
}

/** What a handler may know about the request besides its input. */
export interface RequestContext {
  /** The request id, also in the answer's `x-request-id` and in every log line. */
  requestId: string
  /** The client's address, honouring `TRUST_PROXY`. */
  address: string
  userAgent: string
  /** The bearer token as sent, or null. Never log it. */
  token: string | null
  /**
   * The cookie of the web console as sent, or null. Never log it.
   * @throws AppError (forbidden) where the request changes something and lacks the console's header
   */
  consoleCookie: string | null
  /** Whether it came over TLS, or through a trusted proxy that says so. */
  secure: boolean
  /** The address of this service as the client wrote it, with the base path. The client may write what it wants. */
  origin: string
  /**
   * Tells the journal who calls a public operation. Only for names of users that exist: another text in the place of a
   * name may be a password.
   */
  identify: (username: string) => void
}

export const defaultMessage = 'success'

/** A success with a message of its own; a handler without a message returns the bare data. */
export class SuccessWithMessage<T> {
  readonly data: T
  readonly message: string
  constructor(data: T, message: string) {
    this.data = data
    this.message = message
  }
}

/** A success that sets the cookie of the web console; null: the browser forgets it. */
export class SuccessWithCookie<T> extends SuccessWithMessage<T> {
  readonly cookie: string | null
  constructor(data: T, cookie: string | null) {
    super(data, defaultMessage)
    this.cookie = cookie
  }
}

/**
 * A success whose `data` is JSON already, exactly as the contract has it: the database produced it, and it is sent
 * without being parsed.
 */
export class SuccessAsJson<T> implements SuccessWithMessage<T> {
  readonly json: string
  /** The id of the record it shows; null: no record, or many. */
  readonly id: number | null
  readonly message = defaultMessage

  constructor(json: string, id: number | null = null) {
    this.json = json
    this.id = id
  }

  get data(): T {
    return JSON.parse(this.json)
  }
}

/** A page, a file or a stream of events, which is sent without an envelope; failures of its operation have one. */
export interface Content {
  body: string | Readable
  /** Which of the operation's types it has; default: the only one. */
  media?: MediaType
  /** In addition to the content type, which the document sets; they replace the headers that every response has. */
  headers?: Readonly<Record<string, string>>
}

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never

type Responses<Operation> = Operation extends { responses: infer R } ? R : never

/** The body of the 200 answer; where it is a union of success and failure, the success (its `code` is 0 or 200). */
type Success<Operation> = Responses<Operation> extends { 200: infer Ok } ? Extract<Json<Ok>, { code: 0 | 200 }> : never

/** The `data` of an operation's response. */
export type Data<Operation> = Success<Operation> extends { data: infer D } ? D : null

/**
 * Lets the list of `data` also be an async iterable of batches: large lists are sent as they are read. `total` is then
 * the number of items sent unless the handler sets it. Only operations with `x-stream` have such a list.
 */
export type Streamable<D, List extends keyof D> =
  | D
  | (Omit<D, List | 'total'> & { [K in List]: AsyncIterable<D[K]> } & { total?: number })

type Nothing = Record<never, never>

type Parameters<Operation, Where extends 'path' | 'query'> = Operation extends {
  parameters: { [K in Where]?: infer P }
}
  ? Present<P>
  : Nothing

/** The JSON body. A request without a body has an empty object, so required fields are always checked. */
type Body<Operation> = Operation extends { requestBody?: infer B } ? Present<Json<NonNullable<B>>> : Nothing

/** openapi-typescript writes `never` or `undefined` for absent parts. */
type Present<T> = [NonNullable<T>] extends [never] ? Nothing : NonNullable<T>

/** An operation's validated input. */
export interface Input<Operation> {
  params: Parameters<Operation, 'path'>
  query: Parameters<Operation, 'query'>
  body: Body<Operation>
  request: RequestContext
}

/** Handles a secured operation: `user` is the caller. Throw an AppError to refuse. */
export type Handler<Operation, D = Data<Operation>> = (
  input: Input<Operation> & { user: Principal },
) => Promise<D | SuccessWithMessage<D>>

/**
 * Handles an operation that needs no user's token: there is no `user`. A token that was sent is `request.token`.
 */
export type PublicHandler<Operation, D = Data<Operation>> = (
  input: Input<Operation>,
) => Promise<D | SuccessWithMessage<D>>
