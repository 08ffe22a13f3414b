import type { Operations } from '../../src/generated/documents.ts'
import type { Call, CallInput } from '../contract/call.ts'

type Id = keyof Operations

/** `name=value` of the cookie that a reply sets; empty: it sets none. */
export const cookieIn = ({ headers }: { headers: Readonly<Record<string, unknown>> }): string =>
  String(headers['set-cookie'] ?? '').split(';', 1)[0] ?? ''

/** The claims in a cookie of the console. */
export const claimsIn = (cookie: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(cookie.split('.')[1] ?? '', 'base64url').toString())

let addresses = 0
/** An address that no request has come from so far, so that limits and locks of others do not apply. */
export const freshAddress = (): string => {
  addresses += 1
  return `10.20.${addresses >> 8}.${addresses & 255}`
}

/** Calls operations as the pages of the console do. */
export const browser = (call: Call, { address = freshAddress(), agent = 'a browser', https = false } = {}) => {
  const own = {
    'x-forwarded-for': address,
    'user-agent': agent,
    ...(https && { 'x-forwarded-proto': 'https' }),
  }
  /** With the cookie and the console's header. */
  const ask = <I extends Id>(id: I, cookie: string, input: CallInput = {}) =>
    call(id, {
      ...input,
      headers: { ...own, 'x-steward-console': '1', ...(cookie !== '' && { cookie }), ...input.headers },
    })
  return {
    address,
    ask,
    signIn: (username: string, password: string, more: { code?: string; newPassword?: string } = {}) =>
      ask('openConsoleSession', '', { body: { username, password, ...more } }),
    /** The cookie of a new session. */
    async session(
      username: string,
      password: string,
      more: { code?: string; newPassword?: string } = {},
    ): Promise<string> {
      const reply = await ask('openConsoleSession', '', { body: { username, password, ...more } })
      if (reply.code !== 200) throw new Error(`${username} cannot sign in: ${reply.msg}`)
      return cookieIn(reply)
    },
  }
}
