import type { IncomingHttpHeaders } from 'node:http'
import type { Fault } from './fault.ts'
import type { Organisation } from './organisation-data.ts'
import type { OrganisationIndex } from './organisation-index.ts'
import type { Tokens } from './tokens.ts'

/** The calls of one platform, and its replies. */
export interface Platform {
  /** Demo credentials, by the names of the connector's settings. */
  credentials: Record<string, string>
  /** Every permission that an app can have here. */
  scopes: readonly string[]
  operations: readonly Operation[]
  /** @throws Error when the platform could not have such an organisation */
  check?: (organisation: Organisation) => void
  /** The platform's own error. */
  error: (
    fault: Pick<Extract<Fault, { kind: 'error' }>, 'code' | 'subCode' | 'message' | 'status'>,
    path: string,
  ) => FakeReply
  limited: (fault: { code?: number; wait?: number; status?: number }, path: string) => FakeReply
  /** The reply to a call with an expired token. */
  expired: (path: string) => FakeReply
  /** The page a blocked caller gets instead of JSON. */
  blockPage: string
}

export interface Operation {
  method: 'GET' | 'POST'
  /** `{name}` stands for one segment. */
  path: string
  /** true: this is how a token is got. */
  forToken?: boolean
  subject?: (request: FakeRequest, cloud: CloudState) => { department?: string; page?: number }
  answer: (request: FakeRequest, cloud: CloudState) => FakeReply
}

export interface FakeRequest {
  method: string
  path: string
  /** What stands for the `{names}` of the operation's path. */
  segments: Record<string, string>
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** The JSON object in the body; empty without a body. */
  body: Record<string, unknown>
}

export interface FakeReply {
  status?: number
  headers?: Record<string, string>
  /** Text goes out as it is, everything else as JSON. */
  body: unknown
}

/** The cloud as one call meets it: faults included. */
export interface CloudState {
  organisation: OrganisationIndex
  credentials: Record<string, string>
  tokens: Tokens
  may: (scope: string) => boolean
  idsOnly: boolean
  /** Lists come in another order. */
  order: <T>(items: readonly T[]) => readonly T[]
  /** The next page is this one again. */
  repeat: boolean
  /** The record without the fields that are withheld. */
  reveal: (record: Record<string, unknown>) => Record<string, unknown>
}

/** One page of a list from an offset on, and where the next one begins; `next` is undefined on the last page. */
export const pageOf = <T>(
  items: readonly T[],
  { offset, size, repeat }: { offset: number; size: number; repeat: boolean },
): { page: readonly T[]; next: number | undefined } => {
  const page = items.slice(offset, offset + size)
  if (repeat) return { page, next: offset }
  return { page, next: offset + size < items.length ? offset + size : undefined }
}

/** A list that has no pages. */
export const unpaged = <T>(items: readonly T[], { order, repeat }: CloudState): readonly T[] => {
  const ordered = order(items)
  return repeat ? [...ordered, ...ordered] : ordered
}
