import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Dispatcher, request } from 'undici'
import { withDeadline } from '../../concurrency/abort.ts'
import { codeOf } from '../../failures/caught-error.ts'
import type { Statement } from '../../failures/statement.ts'
import { traced } from '../../tracing/span.ts'
import { statements } from '../statements.ts'
import type { JsonObject } from './json.ts'
import { parseObject, TooManyValues } from './parse.ts'

export interface HttpRequest {
  method: 'GET' | 'POST'
  url: URL
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: JsonObject
}

export interface Answer {
  status: number
  /** A header by its name in lower case; null: it is absent. */
  header: (name: string) => string | null
  /** null: the body is not a JSON object, or is cut off. */
  body: JsonObject | null
  /** The body is a web page instead of JSON. */
  page: boolean
  /** The status and the type and size of the body, for messages; never its content. */
  shape: string
}

/** No response, or an unusable one. The message contains neither address nor query: they may contain a token. */
export class ExchangeError extends Error {
  /** Whether a retry may succeed. */
  readonly passing: boolean
  readonly stated: Statement

  constructor(stated: Statement, { passing }: { passing: boolean }) {
    super(stated.text)
    this.stated = stated
    this.name = 'ExchangeError'
    this.passing = passing
  }
}

/** WeCom returns a department unpaged; its 30,000 members at most are about 30 MB. */
const maxBytes = 64 * 1024 * 1024

/**
 * One HTTP request and its whole response, within `timeout` milliseconds. Redirects are not followed: they would send
 * the token to another host.
 * @throws ExchangeError; the signal's reason when it aborts
 */
export const exchange = (request: HttpRequest, signal: AbortSignal, timeout: number): Promise<Answer> => {
  const late = (): ExchangeError =>
    new ExchangeError(statements.no_answer_in_time({ seconds: timeout / 1000 }), { passing: true })
  const { method, url } = request
  // The host alone: paths and queries of platforms hold ids and tokens.
  const attributes = { 'http.request.method': method, 'server.address': url.hostname }
  return traced(`platform ${method}`, { kind: 'client', attributes }, async (span) => {
    const answer = await withDeadline(timeout, { signal, late }, (either) => sendAndRead(request, either))
    span?.set({ 'http.response.status_code': answer.status })
    return answer
  })
}

const sendAndRead = async (
  { method, url, headers: own, body: content }: HttpRequest,
  signal: AbortSignal,
): Promise<Answer> => {
  const { send, dispatcher } = await client()
  try {
    const {
      statusCode: status,
      headers,
      body,
    } = await send(url, {
      method,
      dispatcher,
      signal,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip',
        ...(content && { 'content-type': 'application/json; charset=utf-8' }),
        ...own,
      },
      ...(content && { body: JSON.stringify(content) }),
    })
    const header = (name: string): string | null => [headers[name] ?? null].flat().join(', ') || null
    const bytes = await wholeBody(body, header('content-encoding') === 'gzip')
    const type = header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
    const text = decode(bytes)
    return {
      status,
      header,
      body: text === null ? null : await parseObject(text, signal),
      page: type === 'text/html' || text?.trimStart().startsWith('<') === true,
      shape: `HTTP ${status}, ${/^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'no type'}, ${bytes.length} bytes`,
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ExchangeError) throw error
    if (error instanceof TooManyValues)
      throw new ExchangeError(statements.answer_too_full({ values: error.limit }), { passing: false })
    throw new ExchangeError(connectionFailure(error), { passing: true })
  }
}

let loading: Promise<{ send: typeof request; dispatcher: Dispatcher }> | undefined

/**
 * Not `fetch`, whose requests take four times as long: an import makes thousands. Loaded by the first request: it is a
 * tenth of all code that a start loads, and an installation may have no platform.
 */
const client = (): NonNullable<typeof loading> => {
  loading ??= import('undici').then(({ Agent, request }) => ({ send: request, dispatcher: new Agent() }))
  return loading
}

const unzipped = promisify(gunzip)

const wholeBody = async (body: Dispatcher.ResponseData['body'], isZipped: boolean): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks, length)
  if (!isZipped) return bytes
  return unzipped(bytes, { maxOutputLength: maxBytes }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    // Cut off or absent: reported as an unreadable response.
    return Buffer.alloc(0)
  })
}

const tooLarge = (): ExchangeError =>
  new ExchangeError(statements.answer_too_large({ bytes: maxBytes }), { passing: false })

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** null for bytes that are not UTF-8: a damaged name must not be imported. */
const decode = (bytes: Buffer): string | null => {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

/** Only the code: the message of a failed fetch may quote the address. */
const connectionFailure = (error: unknown): Statement => {
  const code = codeOf(error instanceof Error ? (error.cause ?? error) : undefined)
  return code !== undefined ? statements.connection_failed_by({ code }) : statements.connection_failed()
}
