import { fieldError } from '../errors.ts'
import { mailProblem, mobileProblem } from '../ldap/field-values.ts'
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

/**
 * The columns for those fields of a request that are there; anything else in it is left out. What the directory would
 * refuse is refused here, while somebody is there to correct it.
 * @throws AppError (invalid) naming the field
 */
export const userColumns = (fields: UserFields): UserFields & { usernameKey?: string } => {
  const { username, mail = '', mobile = '' } = fields
  refuseWhere('mail', mailProblem(mail))
  refuseWhere('mobile', mobileProblem(mobile))
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

const refuseWhere = (field: 'mail' | 'mobile', problem: string | null): void => {
  if (problem !== null) throw fieldError('invalid', field, problem)
}
