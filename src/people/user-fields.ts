import type { UserField } from '../db/tables/fields.ts'
import type { components } from '../generated/directory.types.ts'
import type { MobileKey } from '../text/identity-keys.ts'
import { nameKey } from './names.ts'
import type { Within } from './within.ts'

type Schemas = components['schemas']
type Added = Exclude<keyof Schemas['AddUser'], 'departmentId' | 'roleIds' | 'password' | 'status'>
type Updated = Exclude<keyof Schemas['UpdateUser'], 'id' | 'departmentId' | 'roleIds' | 'version'>
type Declared = UserField | 'source'

/** Those that the contract lets callers set: all that are declared, and no others. */
type Settable = Within<Declared, Added | Updated> | Within<Added, Declared> | Within<Updated, Declared>

export type UserFields = Partial<Record<Settable, string>>

export type UserColumns = UserFields & { usernameKey?: string; mobileKey?: string }

/**
 * The columns for those fields of a request that are present.
 * @throws AppError (invalid) naming the username where it is empty to the directory
 */
export const userColumns = (fields: UserFields, mobileKey: MobileKey): UserColumns => {
  const { username, mobile } = fields
  return {
    ...fields,
    ...(username !== undefined && { usernameKey: nameKey('username', username) }),
    ...(mobile !== undefined && { mobileKey: mobileKey(mobile) }),
  }
}

/** Like `userColumns`, for a new user. */
export const newUserColumns = (
  fields: UserFields & Pick<Required<UserFields>, 'username' | 'nickname'>,
  mobileKey: MobileKey,
) => ({
  ...userColumns(fields, mobileKey),
  username: fields.username,
  usernameKey: nameKey('username', fields.username),
  nickname: fields.nickname,
})
