/** A bind with a password, before it is known whether the password is right. */
export interface BindAttempt {
  /** As it was sent, in the form by which names are compared. */
  dnKey: string
  /** The `uid` that the name begins with: whose account it is. Null for other names. */
  account: string | null
  /** What the directory calls the entry of that name; empty where there is none. */
  entryDn: string
  address: string
}

/**
 * Decides whether the password may be tried, counts, and waits as long as an answer has to. A name that is locked, one
 * that does not exist and a wrong password end alike.
 * @param check whether the password is right; asked at most once
 * @returns whether it was tried and is right
 * @throws LdapError busy or unavailable where attempts cannot be counted now: then nothing may be tried
 */
export type BindGuard = (attempt: BindAttempt, check: () => Promise<boolean>) => Promise<boolean>
