import type { MobileKey } from '../text/identity-keys.ts'
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

export type UserColumns = UserFields & { usernameKey?: string; mobileKey?: string }

/**
 * The columns for those fields of a request that are there; anything else in it is left out.
 * @throws AppError (invalid) naming the username where the directory would see no name
 */
export const userColumns = (fields: UserFields, mobileKey: MobileKey): UserColumns => {
  const { username, mobile } = fields
  const present: UserFields = Object.fromEntries(
    columns.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])),
  )
  return {
    ...present,
    ...(username !== undefined && { usernameKey: nameKey('username', username) }),
    ...(mobile !== undefined && { mobileKey: mobileKey(mobile) }),
  }
}

/** Like `userColumns`, for a user that is to be made. */
export const newUserColumns = (
  fields: UserFields & Pick<Required<UserFields>, 'username' | 'nickname'>,
  mobileKey: MobileKey,
) => ({
  ...userColumns(fields, mobileKey),
  username: fields.username,
  usernameKey: nameKey('username', fields.username),
  nickname: fields.nickname,
})
