import { sql } from 'drizzle-orm'
import type { Principal } from '../contract/handler.ts'
import type { Database, Queryable } from '../db/client.ts'
import { type LoadedPrincipal, loadPrincipal } from './principal-query.ts'
import { reasons } from './reasons.ts'

/** The operations of every signed-in user, whatever his roles: he may read himself and change his own password. */
const everybodys: ReadonlySet<string> = new Set(['GET /user/info', 'POST /user/changePwd'])

const channel = 'steward_principals'

/** PostgreSQL takes 8000 bytes. */
const longestPayload = 7_900

/** Principals kept warm: a few KB each. */
const capacity = 5_000

/** Milliseconds until a warm principal is read again, should a word of its change have been lost. */
const lifetime = 60_000

/** Whose principals have changed. */
export type PrincipalScope =
  | { userIds: readonly number[] }
  | { roleIds: readonly number[] }
  | { sessionIds: readonly string[] }
  | { all: true }

export interface Principals {
  /**
   * Who is calling, if he may call this operation; `path` is relative to `/api`. `identified` is told who it is also
   * when he may not.
   * @throws AppError unauthenticated (no valid token, an ended session, a disabled user) or forbidden (no grant)
   */
  authenticate(
    token: string | null,
    operation: { method: string; path: string },
    identified?: (principal: Principal) => void,
  ): Promise<Principal>
  /**
   * Forgets what is known of these, so that the next request reads it again. Call it after the commit of whatever
   * changed users' status, roles, grants or sessions.
   */
  drop(scope: PrincipalScope): void
  /** Tells the other instances to `drop`, when and if the transaction commits. Call it inside the transaction. */
  announce(tx: Queryable, scope: PrincipalScope): Promise<void>
  /** Hears what other instances announce, until the function it returns is called. */
  listen(): Promise<() => Promise<void>>
}

interface Warm extends LoadedPrincipal {
  freshUntil: number
}

/** What an access token says: the user (`sub`), the session (`sid`) and which token of the session it is (`jti`). */
export interface Claims {
  userId: number
  sessionId: string
  tokenId: string
  expiresAt: Date
}

/** What is known of tokens here. */
export interface TokenReader {
  /** The claims of a token that we signed and that has not expired; null for anything else. */
  verify(token: string | null): Claims | null
}

export interface PrincipalsOptions {
  database: Pick<Database, 'db' | 'kind' | 'listen'>
  tokens: TokenReader
  /** Told when what was known of everybody is dropped, here or by another instance: after a restore, for one. */
  droppedAll?: () => void
  now?: () => number
}

/** Callers, kept warm in this process by session: a request of a warm one makes no query. */
export const openPrincipals = ({ database, tokens, droppedAll, now = Date.now }: PrincipalsOptions): Principals => {
  const warm = new Map<string, Warm>()
  const loading = new Map<string, Promise<LoadedPrincipal | null>>()
  /** Raised by every drop: what was read before one must not be kept after it. */
  let generation = 0

  const load = (sessionId: string): Promise<LoadedPrincipal | null> => {
    const underWay = loading.get(sessionId)
    if (underWay) return underWay
    const begun = generation
    const load = loadPrincipal(database.db, sessionId, new Date(now()))
      .then((loaded) => {
        if (loaded !== null && generation === begun) keep(sessionId, loaded)
        return loaded
      })
      .finally(() => {
        if (loading.get(sessionId) === load) loading.delete(sessionId)
      })
    loading.set(sessionId, load)
    return load
  }

  const keep = (sessionId: string, loaded: LoadedPrincipal): void => {
    warm.delete(sessionId)
    warm.set(sessionId, { ...loaded, freshUntil: now() + lifetime })
    const [oldest] = warm.keys()
    if (warm.size > capacity && oldest !== undefined) warm.delete(oldest)
  }

  const principalOf = async (sessionId: string, tokenId: string): Promise<LoadedPrincipal | null> => {
    const known = warm.get(sessionId)
    if (known && known.freshUntil > now() && known.tokenId === tokenId) return known
    // Another token than the known one may be a rotated one, or the new one of a refresh on another instance: only a
    // reading that began after this request did can tell.
    const joined = loading.has(sessionId)
    let loaded = await load(sessionId)
    if (joined && loaded !== null && loaded.tokenId !== tokenId) loaded = await load(sessionId)
    return loaded?.tokenId === tokenId ? loaded : null
  }

  const drop = (scope: PrincipalScope): void => {
    generation += 1
    loading.clear()
    const concerns = concernedBy(scope)
    for (const [sessionId, known] of warm) if (concerns(sessionId, known)) warm.delete(sessionId)
    if ('all' in scope) droppedAll?.()
  }

  return {
    async authenticate(token, { method, path }, identified) {
      const claims = tokens.verify(token)
      const loaded = claims && (await principalOf(claims.sessionId, claims.tokenId))
      if (!loaded) throw reasons.not_signed_in()
      const { principal } = loaded
      identified?.(principal)
      if (!everybodys.has(`${method} ${path}`) && !principal.may(method, path)) {
        throw reasons.not_granted()
      }
      return principal
    },

    drop,

    async announce(tx, scope) {
      if (database.kind === 'embedded') return
      const payload = JSON.stringify(scope)
      await tx.execute(
        sql`select pg_notify(${channel}, ${payload.length > longestPayload ? JSON.stringify({ all: true }) : payload})`,
      )
    },

    async listen() {
      if (!database.listen) return async () => {}
      return database.listen(
        channel,
        (payload) => drop(scopeOf(payload)),
        () => drop({ all: true }),
      )
    },
  }
}

/** Whoever may use the database may notify: what is not understood concerns everybody. */
const scopeOf = (payload: string): PrincipalScope => {
  try {
    const scope = JSON.parse(payload) as Record<string, unknown>
    const understood = ['userIds', 'roleIds', 'sessionIds'].some((kind) => Array.isArray(scope[kind]))
    if (understood) return scope as PrincipalScope
  } catch {}
  return { all: true }
}

const concernedBy = (scope: PrincipalScope): ((sessionId: string, known: LoadedPrincipal) => boolean) => {
  if ('all' in scope) return () => true
  if ('sessionIds' in scope) {
    const ids = new Set(scope.sessionIds)
    return (sessionId) => ids.has(sessionId)
  }
  if ('userIds' in scope) {
    const ids = new Set(scope.userIds)
    return (_, { principal }) => ids.has(principal.userId)
  }
  const ids = new Set(scope.roleIds)
  return (_, { heldRoleIds }) => heldRoleIds.some((id) => ids.has(id))
}
