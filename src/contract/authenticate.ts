import type { FastifyRequest, preParsingAsyncHookHandler } from 'fastify'
import { ownConsoleCookie, setConsoleCookie } from './console-cookie.ts'
import type { Principal } from './handler.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller of a secured operation; null before that is known, and for public operations. */
    principal: Principal | null
    /** How the caller was let in; null as for `principal`. */
    admitted: Admitted | null
  }
}

/** A caller who was let in. */
export interface Admitted {
  /** Of this request alone. */
  principal: Principal
  /**
   * Looks the caller up again before anything is done for them, where something has happened since that could have changed
   * them; null: nothing has. The principal is then as it is now.
   * @throws AppError `unauthenticated` or `forbidden`
   */
  renew(): Promise<void> | null
  /**
   * Asks again whether they are let in, as `renew` does, and whether they are still all that the principal says: what was read
   * for them may depend on each of their roles.
   * @throws AppError `unauthenticated` or `forbidden`
   */
  recheck(): Promise<void> | null
}

/** What a request shows to tell who calls. */
export type Credential =
  /** The bearer token; null where none was sent, or `Authorization` has another form. */
  | { kind: 'bearer'; token: string | null }
  /** The cookie of the web console, and the client that sent it. */
  | { kind: 'console'; value: string; client: { address: string; userAgent: string } }

/** Called as soon as something is known, also where the request is then refused. */
export interface AuthenticationEvents {
  onIdentified(principal: Principal): void
  /** The console's cookie gets this value. */
  onCookieRenewed(value: string): void
}

/**
 * Identifies the caller and checks their permission. `operation.path` is relative to `/api`, as permission entries write
 * it.
 * @throws AppError `unauthenticated` or `forbidden`
 */
export type Authenticate = (
  credential: Credential,
  operation: { method: string; path: string },
  events: AuthenticationEvents,
) => Promise<Admitted>

/** RFC 6750, section 2.1; the scheme's name is case-insensitive (RFC 9110, section 11.1). */
const bearer = /^bearer ([\w.~+/-]+=*)$/i
const bearerScheme = /^bearer(\s|$)/i

/** The bearer token of a request; null where `Authorization` is absent or has another form. */
export const bearerToken = ({ headers }: Pick<FastifyRequest, 'headers'>): string | null =>
  bearer.exec(headers.authorization ?? '')?.[1] ?? null

/**
 * A bearer token counts before a cookie. Another scheme in `Authorization` does not: it may be for a proxy.
 * @throws AppError (forbidden) for a cookie without the console's header
 */
const credentialOf = (request: FastifyRequest): Credential => {
  if (bearerScheme.test(request.headers.authorization ?? '')) return { kind: 'bearer', token: bearerToken(request) }
  const value = ownConsoleCookie(request)
  if (value === null) return { kind: 'bearer', token: null }
  const { address = '', userAgent = '' } = request.begun ?? {}
  return { kind: 'console', value, client: { address, userAgent } }
}

/**
 * Runs before the body is read, so that the body of an unknown caller costs nothing, and after the rate limit, so that
 * guessing is limited.
 */
export const authenticateCaller =
  (
    authenticate: Authenticate,
    operation: { method: string; path: string },
    basePath: string,
  ): preParsingAsyncHookHandler =>
  async (request, reply) => {
    const events: AuthenticationEvents = {
      onIdentified(principal) {
        request.principal = principal
      },
      onCookieRenewed(value) {
        reply.header('set-cookie', setConsoleCookie(request, basePath, value))
      },
    }
    request.admitted = await authenticate(credentialOf(request), operation, events)
    events.onIdentified(request.admitted.principal)
  }
