import { randomBytes } from 'node:crypto'
import type { FakeReply } from './platform.ts'

/** Each code with the HTTP status it comes with and Feishu's words for it. */
const errors: Readonly<Record<number, { status: number; msg: string }>> = {
  10003: { status: 400, msg: 'invalid param' },
  10014: { status: 200, msg: 'app secret invalid' },
  40004: { status: 403, msg: 'no dept authority error' },
  40011: { status: 400, msg: 'page size is invalid' },
  40012: { status: 400, msg: 'page token is invalid error' },
  41050: { status: 400, msg: 'no user authority error' },
  99991400: { status: 429, msg: 'request trigger frequency limit' },
  99991661: {
    status: 400,
    msg: 'Missing access token for authorization. Please make a request with token attached.',
  },
  99991663: { status: 400, msg: 'Invalid access token for authorization. Please make a request with a valid token.' },
  99991672: { status: 400, msg: 'Access denied. A scope is required that the app does not have.' },
  99992402: { status: 400, msg: 'field validation failed' },
}

export const success = (data: Record<string, unknown>): FakeReply => ({
  headers: logged(),
  body: { code: 0, msg: 'success', data },
})

export const feishuError = ({
  code,
  message,
  status,
}: {
  code: number
  message?: string
  status?: number
}): FakeReply => {
  const known = errors[code]
  return {
    status: status ?? known?.status ?? 400,
    headers: logged(),
    body: { code, msg: message ?? known?.msg ?? 'error' },
  }
}

/** The contact lists allow 50 calls a second; the headers tell that, and when to come again. */
export const feishuLimited = ({
  code = 99991400,
  wait = 1,
  status,
}: {
  code?: number
  wait?: number
  status?: number
}) => {
  const reply = feishuError({ code, ...(status === undefined ? { status: 429 } : { status }) })
  return {
    ...reply,
    headers: { ...reply.headers, 'x-ogw-ratelimit-limit': '50', 'x-ogw-ratelimit-reset': String(wait) },
  }
}

export const scopeMissing = (scopes: readonly string[]): FakeReply =>
  feishuError({
    code: 99991672,
    message: `Access denied. One of the following scopes is required: [${scopes.join(', ')}].`,
  })

const logged = (): Record<string, string> => ({ 'x-tt-logid': randomBytes(12).toString('hex') })
