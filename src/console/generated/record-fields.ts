// Generated from src/db/tables/fields.ts by scripts/console-codegen.ts. Do not edit.

/** The texts that a person is made of. */
export const userFields = [
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
] as const

/** The texts that a group is made of. */
export const groupFields = [
  'groupName',
  'remark',
] as const

/** Those of people that a source can fill; the first one is required. */
export const mappedUserFields = [
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
] as const

/** Those of groups that a source can fill; the first one is required. */
export const mappedGroupFields = [
  'groupName',
  'remark',
] as const

export type UserField = (typeof userFields)[number]
export type GroupField = (typeof groupFields)[number]
