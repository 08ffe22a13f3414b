import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Principal } from '../contract/handler.ts'
import type { Database, Queryable } from '../db/client.ts'
import { currentTime } from '../runtime/clock.ts'
import { mayCall } from './may-call.ts'
import { type LoadedPrincipal, loadPrincipal } from './principal-query.ts'
import type { SecondFactorPolicy } from './second-factor-policy.ts'

const channel = 'steward_principals'

/** PostgreSQL accepts 8000 bytes. */
const longestPayload = 7_900

/** Cached principals: a few KB each. */
const capacity = 5_000

/** Milliseconds until a cached principal is read again, in case an announcement was lost. */
const lifetime = 60_000

/** The users whose principals have changed. */
export type PrincipalScope =
  | { userIds: readonly number[] }
  | { roleIds: readonly number[] }
  | { sessionIds: readonly string[] }
  | { all: true }

export interface Principals {
  /**
   * The user of an open session whose current token has this id; null: it has ended, or has
   * another token.
   */
  find(session: Pick<Claims, 'sessionId' | 'tokenId'>): Promise<LoadedPrincipal | null>
  /** A number that every `drop` raises, here or of another instance: while it is the same, no session has ended. */
  generation(): number
  /** The user of a session; null: it has ended. */
  standing(sessionId: string): Promise<Principal | null>
  /** Whether a session has not ended and its user may call this operation. */
  stillMay(sessionId: string, operation: { method: string; path: string }): Promise<boolean>
  /** Calls the listener after every `drop`, here or of another instance, until the returned function is called. */
  onDrop(listener: () => void): () => void
  /**
   * Drops these from the cache, so that the next request reads them again. Call it after the commit of a change of
   * users' status, roles, grants or sessions.
   */
  drop(scope: PrincipalScope): void
  /** Tells the other instances to `drop`, when and if the transaction commits. Call it inside the transaction. */
  announce(tx: Queryable, scope: PrincipalScope): Promise<void>
  /** Receives what other instances announce, until the returned function is called. */
  listen(): Promise<() => Promise<void>>
}

/** The claims of a token: the user (`sub`), the session (`sid`) and the id of the token itself (`jti`). */
export interface Claims {
  userId: number
  sessionId: string
  tokenId: string
  expiresAt: Date
}

export interface PrincipalsOptions {
  database: Pick<Database, 'db' | 'kind' | 'listen'>
  /** SECOND_FACTOR */
  secondFactor: SecondFactorPolicy
  /** Called when the whole cache is dropped, here or by another instance: for example after a restore. */
  droppedAll?: () => void
  now?: () => number
}

/** Callers, cached in this process by session: a request with a cached one makes no query. */
export const openPrincipals = ({
  database,
  secondFactor,
  droppedAll,
  now = currentTime,
}: PrincipalsOptions): Principals => {
  const warm = new LRUCache<string, LoadedPrincipal>({
    max: capacity,
    ttl: lifetime,
    ttlResolution: 0,
    perf: { now },
  })
  const loading = new Map<string, Promise<LoadedPrincipal | null>>()
  const listeners = new Set<() => void>()
  /** Increased by every drop: a result that was read before a drop must not be cached after it. */
  let generation = 0

  const load = (sessionId: string): Promise<LoadedPrincipal | null> => {
    const underWay = loading.get(sessionId)
    if (underWay) return underWay
    const begun = generation
    const load = loadPrincipal(database.db, sessionId, { secondFactor, now: new Date(now()) })
      .then((loaded) => {
        if (loaded !== null && generation === begun) warm.set(sessionId, loaded)
        return loaded
      })
      .finally(() => {
        if (loading.get(sessionId) === load) loading.delete(sessionId)
      })
    loading.set(sessionId, load)
    return load
  }

  const principalOf = async (sessionId: string, tokenId: string): Promise<LoadedPrincipal | null> => {
    const known = warm.get(sessionId)
    if (known?.tokenId === tokenId) return known
    // A token other than the known one may be rotated away, or may be the new one of a refresh on another instance.
    // Only a read that began after this request can tell.
    const joined = loading.has(sessionId)
    let loaded = await load(sessionId)
    if (joined && loaded !== null && loaded.tokenId !== tokenId) loaded = await load(sessionId)
    return loaded?.tokenId === tokenId ? loaded : null
  }

  const standing = async (sessionId: string): Promise<Principal | null> =>
    (warm.get(sessionId) ?? (await load(sessionId)))?.principal ?? null

  const drop = (scope: PrincipalScope): void => {
    generation += 1
    loading.clear()
    const concerns = concernedBy(scope)
    for (const [sessionId, known] of [...warm]) if (concerns(sessionId, known)) warm.delete(sessionId)
    if ('all' in scope) droppedAll?.()
    for (const listener of listeners) listener()
  }

  return {
    find: ({ sessionId, tokenId }) => principalOf(sessionId, tokenId),

    generation: () => generation,

    standing,

    async stillMay(sessionId, { method, path }) {
      const principal = await standing(sessionId)
      return principal !== null && mayCall(principal, method, path)
    },

    onDrop(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
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

/** Every user of the database can notify: a payload that cannot be parsed drops the whole cache. */
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
