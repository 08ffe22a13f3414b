/** A bind with a password, before it is known whether the password is right. */
export interface BindAttempt {
  /** The DN as it was sent, in the form by which names are compared. */
  dnKey: string
  /** The `uid` that the DN begins with: the account it belongs to. Null for other names. */
  account: string | null
  /** The DN of the entry of that name in the directory's spelling; empty where the entry does not exist. */
  entryDn: string
  /** Whether the name is that of a service account, or would be: its password was made and is too long to guess. */
  isService: boolean
  address: string
}

/**
 * Decides whether the password may be tried, counts the attempt, and delays the response. A name that is locked, a name
 * that does not exist and a wrong password end alike.
 * @param check whether the password is right; called at most once
 * @returns whether it was tried and is right
 * @throws LdapError busy or unavailable where attempts cannot be counted now: no password may be tried then
 */
export type BindThrottle = (attempt: BindAttempt, check: () => Promise<boolean>) => Promise<boolean>
