import fastifyJwt, { type FastifyJWTOptions, type JWT } from '@fastify/jwt'
import Fastify from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Claims } from '../access/principals.ts'

export interface IssuedToken {
  token: string
  /** RFC 3339, UTC, with milliseconds. */
  expires: string
}

export interface Tokens {
  /** @param notAfter the latest end of the session: its tokens are not valid after it */
  issue(claims: Omit<Claims, 'expiresAt'>, notAfter: Date): IssuedToken
  /** The claims of a valid token of this installation; null for any other text. */
  verify(token: string | null): Claims | null
  /** Like `verify`, for a token that may have expired. */
  read(token: string | null): Claims | null
}

/**
 * A token that another service signed with the same secret, or for another use, is not ours (RFC 8725, 3.8 and 3.9).
 */
const issuer = 'steward'
const audience = 'steward-api'

/**
 * The options of @fastify/jwt: HS256 and nothing else, so that neither `alg: none` nor another algorithm is accepted.
 * Expiry is checked below, by the clock that also issues: a refresh has to read tokens that have expired.
 */
const jwtOptions = (secret: string): FastifyJWTOptions => ({
  secret,
  sign: { algorithm: 'HS256', iss: issuer, aud: audience },
  verify: {
    algorithms: ['HS256'],
    ignoreExpiration: true,
    requiredClaims: ['sub', 'sid', 'jti', 'exp', 'iss', 'aud'],
    allowedIss: issuer,
    allowedAud: audience,
  },
})

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface TokensOptions {
  secret: string
  /** Seconds a token is valid. */
  ttl: number
  now?: () => number
}

/**
 * Access tokens (RFC 7519). @fastify/jwt needs an application. It gets one of its own, because tokens are needed before
 * there is a service to mount.
 */
export const openTokens = async ({ secret, ttl, now = Date.now }: TokensOptions): Promise<Tokens> => {
  const host = Fastify()
  await host.register(fastifyJwt, jwtOptions(secret))
  return accessTokens(host.jwt, ttl, now)
}

/** Cached tokens whose signature was verified. */
const capacity = 5_000

const accessTokens = (jwt: Pick<JWT, 'sign' | 'verify'>, ttl: number, now: () => number): Tokens => {
  /** A valid signature stays valid; the expiry is checked every time. */
  const proven = new LRUCache<string, Claims>({ max: capacity })

  const read = (token: string | null): Claims | null => {
    if (token === null) return null
    const known = proven.get(token)
    if (known !== undefined) return known
    const claims = prove(token)
    if (claims === null) return null
    proven.set(token, claims)
    return claims
  }

  const prove = (token: string): Claims | null => {
    try {
      const { sub, sid, jti, exp } = jwt.verify<Record<string, unknown>>(token)
      const userId = Number(sub)
      const wellFormed =
        typeof sub === 'string' &&
        Number.isSafeInteger(userId) &&
        typeof sid === 'string' &&
        uuid.test(sid) &&
        typeof jti === 'string' &&
        uuid.test(jti) &&
        typeof exp === 'number'
      return wellFormed ? { userId, sessionId: sid, tokenId: jti, expiresAt: new Date(exp * 1000) } : null
    } catch {
      return null
    }
  }
  return {
    issue({ userId, sessionId, tokenId }, notAfter) {
      const iat = Math.floor(now() / 1000)
      const exp = Math.min(iat + ttl, Math.floor(notAfter.getTime() / 1000))
      const token = jwt.sign({ sub: String(userId), sid: sessionId, jti: tokenId, iat, exp })
      return { token, expires: new Date(exp * 1000).toISOString() }
    },
    verify(token) {
      const claims = read(token)
      return claims !== null && claims.expiresAt.getTime() > now() ? claims : null
    },
    read,
  }
}
