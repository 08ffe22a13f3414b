import type { Attribute } from './entry.ts'
import { LdapError, resultCode } from './result.ts'

/** Whom a connection is bound as; null is anonymous. */
export type Identity = { dn: string; root: boolean } | null

/** @throws LdapError for an anonymous reader; only the root DSE is for everybody */
export const checkMayRead = (identity: Identity): void => {
  if (identity === null) throw new LdapError(resultCode.insufficientAccessRights, 'authentication required')
}

/** @throws LdapError for everybody but the root DN */
export const checkMayWrite = (identity: Identity): void => {
  if (identity === null) {
    throw new LdapError(resultCode.strongerAuthRequired, 'modifications require authentication')
  }
  if (!identity.root) throw new LdapError(resultCode.insufficientAccessRights, 'no write access')
}

/** Whether the attribute may be shown, compared or searched for: password hashes are for the root DN only. */
export const mayRead =
  (identity: Identity) =>
  ({ type }: Pick<Attribute, 'type'>): boolean =>
    type.key !== 'userpassword' || identity?.root === true
