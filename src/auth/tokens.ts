import fastifyJwt, { type FastifyJWTOptions, type JWT } from '@fastify/jwt'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Claims } from '../access/principals.ts'
import { currentTime } from '../runtime/clock.ts'

export interface IssuedToken {
  token: string
  /** RFC 3339, UTC, with milliseconds. */
  expires: string
}

/** Where a token is valid: in `Authorization`, or in the cookie of the web console. Neither takes the other's. */
export type TokenUse = 'bearer' | 'console'

export interface Tokens {
  /** Adds the signing plugin to the application. Before that no token can be issued or read. */
  register(app: FastifyInstance): Promise<void>
  /** @param notAfter the latest end of the session: its tokens are not valid after it */
  issue(claims: Omit<Claims, 'expiresAt'>, notAfter: Date, use?: TokenUse): IssuedToken
  /** The claims of a valid token of this installation, for this use; null for any other text. */
  verify(token: string | null, use?: TokenUse): Claims | null
  /** Like `verify`, for a token that may have expired. */
  read(token: string | null, use?: TokenUse): Claims | null
}

/**
 * A token that another service signed with the same secret, or for another use, is not accepted (RFC 8725, 3.8 and 3.9).
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

/** Cached tokens whose signature was verified. */
const capacity = 5_000

/** Signed tokens (RFC 7519), by @fastify/jwt, which is a plugin of the application. */
export const openTokens = ({ secret, ttl, now = currentTime }: TokensOptions): Tokens => {
  let plugin: JWT | undefined
  /** A valid signature stays valid; the expiry is checked every time. */
  const proven = new LRUCache<string, Proven>({ max: capacity })

  const signer = (): JWT => {
    if (plugin === undefined) throw new Error('Tokens are used before their application is there')
    return plugin
  }

  const read = (token: string | null, use: TokenUse = 'bearer'): Claims | null => {
    if (token === null) return null
    const known = proven.get(token) ?? prove(token)
    if (known === null) return null
    proven.set(token, known)
    return known.use === use ? known.claims : null
  }

  const prove = (token: string): Proven | null => {
    const jwt = signer()
    try {
      return provenBy(jwt.verify<Record<string, unknown>>(token))
    } catch {
      return null
    }
  }

  return {
    async register(app) {
      await app.register(fastifyJwt, jwtOptions(secret))
      plugin = app.jwt
    },
    issue({ userId, sessionId, tokenId }, notAfter, use = 'bearer') {
      const iat = Math.floor(now() / 1000)
      const exp = Math.min(iat + ttl, Math.floor(notAfter.getTime() / 1000))
      const token = signer().sign({
        ...{ sub: String(userId), sid: sessionId, jti: tokenId, iat, exp },
        ...(use === 'console' && { use }),
      })
      return { token, expires: new Date(exp * 1000).toISOString() }
    },
    verify(token, use) {
      const claims = read(token, use)
      return claims !== null && claims.expiresAt.getTime() > now() ? claims : null
    },
    read,
  }
}

interface Proven {
  claims: Claims
  use: TokenUse
}

/** The claims of a token whose signature is right; null: they are not those of a token of ours. */
const provenBy = ({ sub, sid, jti, exp, use }: Record<string, unknown>): Proven | null => {
  const userId = Number(sub)
  const wellFormed =
    typeof sub === 'string' &&
    Number.isSafeInteger(userId) &&
    typeof sid === 'string' &&
    uuid.test(sid) &&
    typeof jti === 'string' &&
    uuid.test(jti) &&
    typeof exp === 'number' &&
    (use === undefined || use === 'console')
  if (!wellFormed) return null
  const claims = { userId, sessionId: sid, tokenId: jti, expiresAt: new Date(exp * 1000) }
  return { claims, use: use === 'console' ? 'console' : 'bearer' }
}
