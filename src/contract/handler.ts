/**
 * The types that generated handler interfaces are made of. `Operation` is an entry of openapi-typescript's
 * `operations`; nothing here knows Fastify.
 */
import type { Readable } from 'node:stream'

/** Who is calling: loaded once per session, kept warm, dropped when anything it rests on changes. */
export interface Principal {
  userId: number
  username: string
  sessionId: string
  /** The smallest `sort` of the user's enabled roles; smaller is stronger. 1000 (weaker than any role) without one. */
  rank: number
  /** Enabled roles only. */
  roleIds: readonly number[]
  /** Whether the roles grant this operation, for example `('POST', '/user/add')`; the path is relative to `/api`. */
  may: (method: string, path: string) => boolean
}

/** What a handler may know about the request beside its input. */
export interface RequestContext {
  /** The request id, also in the answer's `x-request-id` and in every log line. */
  requestId: string
  /** The client's address, honouring `TRUST_PROXY`. */
  address: string
  userAgent: string
  /** The bearer token as sent, or null. Never log it. */
  token: string | null
  /**
   * Tells the journal who asks for a public operation. Only names of users that exist: what was typed for a name may be
   * a password.
   */
  identify: (username: string) => void
}

export const defaultMessage = 'success'

/** A successful answer with a message of its own; a handler that has nothing to say returns the bare data. */
export class Answer<T> {
  readonly data: T
  readonly message: string
  constructor(data: T, message: string) {
    this.data = data
    this.message = message
  }
}

/**
 * A successful answer whose `data` is JSON already, exactly as the contract has it: the database wrote it, and it is
 * sent on unread.
 */
export class WrittenAnswer<T> implements Answer<T> {
  readonly json: string
  /** Of the record it shows; null: of none, or of many. */
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

/** A page or a file, which is answered as it is; failures of such an operation come in the envelope. */
export interface Content {
  body: string | Readable
  /** Beside the content type, which the document says; they replace those that every answer has. */
  headers?: Readonly<Record<string, string>>
}

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never

type Responses<Operation> = Operation extends { responses: infer R } ? R : never

/** The body of the 200 answer; where it is a union of success and failure, the success (its `code` is 0 or 200). */
type Success<Operation> = Responses<Operation> extends { 200: infer Ok } ? Extract<Json<Ok>, { code: 0 | 200 }> : never

/** The `data` an operation answers with. */
export type Data<Operation> = Success<Operation> extends { data: infer D } ? D : null

/**
 * Lets the list of `data` also be an async iterable of batches: what can be large is sent as it is read, and `total` is
 * then the number of items sent unless the handler says it. Only operations with `x-stream` have such a list.
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

/** The JSON body. A request without one is an empty object, so what is required in it is there. */
type Body<Operation> = Operation extends { requestBody?: infer B } ? Present<Json<NonNullable<B>>> : Nothing

/** openapi-typescript says `never` or `undefined` where there is nothing. */
type Present<T> = [NonNullable<T>] extends [never] ? Nothing : NonNullable<T>

/** An operation's validated input. */
export interface Input<Operation> {
  params: Parameters<Operation, 'path'>
  query: Parameters<Operation, 'query'>
  body: Body<Operation>
  request: RequestContext
}

/** Handles a secured operation: there is a caller. Throw an AppError to refuse. */
export type Handler<Operation, D = Data<Operation>> = (
  input: Input<Operation> & { user: Principal },
) => Promise<D | Answer<D>>

/** Handles an operation that needs no user's token: there may be no caller. A token that was sent is `request.token`. */
export type PublicHandler<Operation, D = Data<Operation>> = (input: Input<Operation>) => Promise<D | Answer<D>>
