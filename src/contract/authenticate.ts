import type { FastifyRequest, preParsingAsyncHookHandler } from 'fastify'
import type { Principal } from './handler.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller of a secured operation; null before that is known, and for public operations. */
    principal: Principal | null
  }
}

/**
 * Identifies the caller and checks their permission. `token` is null where none was sent; `operation.path` is relative
 * to `/api`, as permission entries write it. `identified` is called with the caller before the permission is checked.
 * @throws AppError `unauthenticated` or `forbidden`
 */
export type Authenticate = (
  token: string | null,
  operation: { method: string; path: string },
  identified: (principal: Principal) => void,
) => Promise<Principal>

/** RFC 6750, section 2.1; the scheme's name is case-insensitive (RFC 9110, section 11.1). */
const bearer = /^bearer ([\w.~+/-]+=*)$/i

/** The bearer token of a request; null where `Authorization` is absent or has another form. */
export const bearerToken = ({ headers }: Pick<FastifyRequest, 'headers'>): string | null =>
  bearer.exec(headers.authorization ?? '')?.[1] ?? null

/**
 * Runs before the body is read, so that the body of an unknown caller costs nothing, and after the rate limit, so that
 * guessing is limited.
 */
export const authenticateCaller =
  (authenticate: Authenticate, operation: { method: string; path: string }): preParsingAsyncHookHandler =>
  async (request) => {
    const identified = (principal: Principal): void => {
      request.principal = principal
    }
    identified(await authenticate(bearerToken(request), operation, identified))
  }
