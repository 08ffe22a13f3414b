import { type MappedUserField, mappedUserFields } from '../db/tables/fields.ts'

export type ComparedField = Exclude<MappedUserField, 'username'> | 'sourceUnionId'

/** What a run compares of a person, and writes as it is said. A username is found apart: it may get a number. */
export const comparedFields: readonly ComparedField[] = [
  ...mappedUserFields.filter((name) => name !== 'username'),
  'sourceUnionId',
]
