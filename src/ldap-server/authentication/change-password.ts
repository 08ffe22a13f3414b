/** A change of a password that was asked for in the directory (RFC 3062). */
export interface PasswordChange {
  /** The person's entry, and the `uid` that its name begins with. */
  entryDn: string
  account: string
  baseDn: string
  /** The person themselves, who is bound as the entry; or the administrator of the directory. */
  by: 'the person' | 'the administrator'
  address: string
  /** null: it was not given. */
  oldPassword: string | null
  /** null: one is to be made. */
  newPassword: string | null
}

/**
 * Changes the password of the record that the entry belongs to; the entry follows.
 * @returns the password that was made, null where one was given
 * @throws LdapError: what is wrong with the new password, a wrong old one, an entry without a record
 */
export type ChangePassword = (change: PasswordChange) => Promise<string | null>
