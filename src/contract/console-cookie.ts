import type { FastifyRequest } from 'fastify'
import { reasons } from './reasons.ts'

/**
 * The cookie of the web console. A browser accepts `__Host-` from https only, for this host only and for all its paths
 * (RFC 6265bis, section 4.1.3.2). Over plain http that cookie cannot be set, so there it has a plain name. A request is
 * read by the name of its own kind only: who can change plain http cannot plant a session for https.
 */
const names = { secure: '__Host-steward', plain: 'steward' } as const

/** No form of another site can send it, and a script of another site may not (CORS). */
const header = 'x-steward-console'

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

type Asking = Pick<FastifyRequest, 'headers' | 'protocol'>

/** Whether a request came over TLS, or through a trusted proxy (TRUST_PROXY) that says so. */
export const isSecure = ({ protocol }: Pick<Asking, 'protocol'>): boolean => protocol === 'https'

/** The value of the console's cookie; null where the request has no such cookie. */
export const consoleCookie = (request: Asking): string | null => {
  const wanted = `${isSecure(request) ? names.secure : names.plain}=`
  const pair = (request.headers.cookie ?? '').split(';').find((part) => part.trim().startsWith(wanted))
  return pair === undefined ? null : pair.trim().slice(wanted.length)
}

/**
 * The same, for a request that may do what the cookie allows.
 * @throws AppError (forbidden) for a request that changes something and lacks the console's header
 */
export const ownConsoleCookie = (request: Asking & Pick<FastifyRequest, 'method'>): string | null => {
  const value = consoleCookie(request)
  if (value !== null && !safeMethods.has(request.method) && request.headers[header] !== '1') {
    throw reasons.console_header()
  }
  return value
}

/**
 * The header `Set-Cookie`. It is a cookie of the browser's session; the service knows when the session ends.
 * @param value null: the browser forgets the cookie
 * @param basePath BASE_PATH
 */
export const setConsoleCookie = (request: Asking, basePath: string, value: string | null): string => {
  const secure = isSecure(request)
  return [
    `${secure ? names.secure : names.plain}=${value ?? ''}`,
    `Path=${secure || basePath === '' ? '/' : basePath}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(secure ? ['Secure'] : []),
    ...(value === null ? ['Max-Age=0'] : []),
  ].join('; ')
}
