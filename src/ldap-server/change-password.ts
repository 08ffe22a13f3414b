import { BerReader, octetString, sequence } from './ber.ts'

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

const identityTag = 0x80
const oldTag = 0x81
const newTag = 0x82
const madeTag = 0x80

/** @throws BerError */
export const readPasswordModify = (value: Buffer | null) => {
  const reader = new BerReader(value ?? sequence()).sequence()
  const next = (tag: number): string | null => (reader.next === tag ? reader.text(tag) : null)
  return { identity: next(identityTag), oldPassword: next(oldTag), newPassword: next(newTag) }
}

export const passwordModifyResponse = (made: string): Buffer => sequence(octetString(made, madeTag))
