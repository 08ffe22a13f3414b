/** The parts of a generated document. */

/** A JSON Schema (2020-12) without annotations. */
export type Schema = Readonly<Record<string, unknown>>

/** The types of what is sent without an envelope. */
export type MediaType =
  | 'text/html'
  | 'application/octet-stream'
  | 'text/csv'
  | 'application/x-ndjson'
  | 'text/event-stream'

export interface Operation {
  /** The `operationId`. */
  id: string
  /** The tag in the document's spelling. */
  tag: string
  /** The key of the tag's handlers. */
  group: string
  summary: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** OpenAPI style, relative to the document's prefix: `/meals/{id}/status`. */
  path: string
  /** The same in Fastify's style: `/meals/:id/status`. */
  url: string
  /** false where the document needs no token, makes it optional, or needs one that is not a user's. */
  secured: boolean
  schema: {
    body?: Schema
    querystring?: Schema
    params?: Schema
    /** The success envelope; empty where the operation has no envelope. */
    response: Schema
  }
  /** A success is not an envelope but a document of one of these types. */
  media?: readonly MediaType[]
  /**
   * `x-rate-limit`: how many requests one address, or one user, may make within any `window` seconds. The operations of
   * a document with the same `bucket` share one count; without it an operation has its own.
   */
  rateLimit?: { max: number; window: number; by: 'address' | 'user'; bucket?: string }
  /**
   * `x-cache`: seconds a success is cached for its user, here and in their browser; never beyond the day it was made
   * on.
   */
  cache?: { maxAge: number }
  /** `x-cache-drop`: it changes data of the user's cached responses of this document, so they are dropped. */
  dropsCache?: true
  /** `x-stream`: the list of `data` that may be sent as it is read. */
  stream?: string
}

/** A generated document. `Handlers` is the interface its handlers implement. */
export interface ContractDocument<Handlers = unknown> {
  /** `directory` for `openapi/directory.yaml`. */
  name: string
  title: string
  /** Where it is mounted, without a slash at its end: `/api/v1/diet`. */
  prefix: string
  /**
   * The envelope: `msg` is `{code, data, msg}` with code 0 and HTTP 200 for every declared operation, `message` is
   * `{code, message, data}` where code is the HTTP status.
   */
  envelope: 'msg' | 'message'
  /** Recursive schemas, referred to by their `$id`. */
  shared: readonly Schema[]
  operations: readonly Operation[]
  /** Never set: connects the document with the type of its handlers. */
  readonly handlers?: Handlers
}

/** The prefix that permission entries leave out. */
export const apiRoot = '/api'

/** An operation's path as permission entries and the operation log write it: relative to `/api`. */
export const entryPath = (document: ContractDocument, operation: Operation): string =>
  `${document.prefix}${operation.path}`.slice(apiRoot.length)
