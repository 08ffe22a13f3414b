import { linked } from './abort.ts'
import { isObject, type JsonObject } from './json.ts'

export interface HttpRequest {
  method: 'GET' | 'POST'
  url: URL
  headers?: Record<string, string>
  /** Goes out as JSON. */
  body?: JsonObject
}

export interface Answer {
  status: number
  headers: Headers
  /** null: the body is no JSON object, or is cut off. */
  body: JsonObject | null
  /** A web page stands where the answer should be. */
  page: boolean
  /** The status and the kind and size of the body, for messages; nothing of its content. */
  shape: string
}

/** No answer arrived, or none that can be held. The message names no address and no query: they may carry a token. */
export class ExchangeError extends Error {
  /** The same request may well be answered another time. */
  readonly passing: boolean

  constructor(message: string, { passing }: { passing: boolean }) {
    super(message)
    this.name = 'ExchangeError'
    this.passing = passing
  }
}

/** WeCom answers a department unpaged; its 30,000 members at most are about 30 MB. */
const mostBytes = 64 * 1024 * 1024

/**
 * One HTTP request and its whole answer, within `timeout` milliseconds. Redirects are not followed: they would carry
 * the token to another host.
 * @throws ExchangeError; the signal's reason when it aborts
 */
export const exchange = async (request: HttpRequest, signal: AbortSignal, timeout: number): Promise<Answer> => {
  const link = linked(signal)
  const late = (): void => link.abort(new ExchangeError(`no answer within ${timeout / 1000} s`, { passing: true }))
  const deadline = setTimeout(late, timeout)
  try {
    const response = await fetch(request.url, {
      method: request.method,
      redirect: 'manual',
      signal: link.signal,
      headers: {
        accept: 'application/json',
        ...(request.body && { 'content-type': 'application/json; charset=utf-8' }),
        ...request.headers,
      },
      ...(request.body && { body: JSON.stringify(request.body) }),
    })
    const bytes = await wholeBody(response)
    const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
    const text = decode(bytes)
    return {
      status: response.status,
      headers: response.headers,
      body: parse(text),
      page: type === 'text/html' || text?.trimStart().startsWith('<') === true,
      shape: `HTTP ${response.status}, ${/^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'no type'}, ${bytes.length} bytes`,
    }
  } catch (error) {
    signal.throwIfAborted()
    link.signal.throwIfAborted()
    if (error instanceof ExchangeError) throw error
    throw new ExchangeError(connectionFailure(error), { passing: true })
  } finally {
    clearTimeout(deadline)
    link.release()
  }
}

const wholeBody = async ({ body }: Response): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > mostBytes) throw new ExchangeError(`the answer is larger than ${mostBytes} bytes`, { passing: false })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** null for bytes that are no UTF-8: half a name is not to be taken for the name. */
const decode = (bytes: Buffer): string | null => {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

const parse = (text: string | null): JsonObject | null => {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** The code alone: the words of a failed fetch may quote the address. */
const connectionFailure = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined
  const { code } = (cause ?? {}) as { code?: unknown }
  return `the connection failed${typeof code === 'string' ? ` (${code})` : ''}`
}
