import { fieldError } from '../errors.ts'
import { nameKey } from './names.ts'

const columns = [
  'username',
  'nickname',
  'givenName',
  'mail',
  'mobile',
  'jobNumber',
  'avatar',
  'introduction',
  'position',
  'postalAddress',
  'departments',
  'source',
] as const

export type UserFields = Partial<Record<(typeof columns)[number], string>>

const ascii = /^[\0-\x7f]*$/

/** PrintableString (RFC 4517 section 3.2): what a telephone number in the directory may be made of. */
const printable = /^[A-Za-z0-9'()+,\-./:=? ]*$/

/**
 * The columns for those fields of a request that are there; anything else in it is left out. What the directory would
 * refuse is refused here, while somebody is there to correct it.
 * @throws AppError (invalid) naming the field
 */
export const userColumns = (fields: UserFields): UserFields & { usernameKey?: string } => {
  const { username, mail = '', mobile = '' } = fields
  // IA5 String (RFC 4517 section 3.3.15) is the syntax of `mail` (RFC 4524 section 2.16).
  if (!ascii.test(mail)) throw fieldError('invalid', 'mail', 'must be ASCII: directories hold no other mail addresses')
  if (!printable.test(mobile)) {
    throw fieldError('invalid', 'mobile', "may contain letters, digits, spaces and ' ( ) + , - . / : = ? only")
  }
  const present: UserFields = Object.fromEntries(
    columns.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])),
  )
  return username === undefined ? present : { ...present, usernameKey: nameKey('username', username) }
}

/** Like `userColumns`, for a user that is to be made. */
export const newUserColumns = (fields: UserFields & Pick<Required<UserFields>, 'username' | 'nickname'>) => ({
  ...userColumns(fields),
  username: fields.username,
  usernameKey: nameKey('username', fields.username),
  nickname: fields.nickname,
})
