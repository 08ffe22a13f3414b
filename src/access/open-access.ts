// The room access.
// What a caller may do: roles, menus, API entries, seniority, and the permits that every change of a person needs.
// It knows the caller by a token that the room auth verifies; it never proves a password or a second factor.

import type { ContractDocument } from '../contract/document.ts'
import type { Database } from '../db/client.ts'
import type { Lifetime } from '../runtime/lifetime.ts'
import { apisHandlers } from './api-handlers.ts'
import { menusHandlers } from './menu-handlers.ts'
import { openPrincipals } from './principals.ts'
import { rolesHandlers } from './role-handlers.ts'
import type { SecondFactorPolicy } from './second-factor-policy.ts'

export interface AccessOptions extends Pick<Lifetime, 'atEnd'> {
  database: Pick<Database, 'db' | 'kind' | 'listen'>
  /** Those that are served. */
  documents: readonly ContractDocument[]
  config: { secondFactor: SecondFactorPolicy }
  /** Called when grants may have changed that this process was not told of. */
  droppedAll: () => void
}

export type Access = Awaited<ReturnType<typeof openAccess>>

/** What callers may do, cached; other instances tell of changes. */
export const openAccess = async ({ database, documents, config, droppedAll, atEnd }: AccessOptions) => {
  const { db } = database
  const principals = openPrincipals({ database, secondFactor: config.secondFactor, droppedAll })
  atEnd(await principals.listen())
  const shared = { db, principals, documents }
  return {
    principals,
    handlers: { roles: rolesHandlers(shared), menus: menusHandlers(shared), apis: apisHandlers(shared) },
  }
}
