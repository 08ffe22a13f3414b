import {
  type MappedGroupField,
  type MappedUserField,
  mappedGroupFields,
  mappedUserFields,
} from '../db/tables/fields.ts'

// Fields that runs compare and write as the source has them. Names are decided apart: one that is taken gets a number.

export type PlainUserField = Exclude<MappedUserField, 'username'> | 'sourceUnionId'
export type PlainGroupField = Exclude<MappedGroupField, 'groupName'>

export const plainUserFields: readonly PlainUserField[] = [
  ...mappedUserFields.filter((name) => name !== 'username'),
  'sourceUnionId',
]

export const plainGroupFields: readonly PlainGroupField[] = mappedGroupFields.filter((name) => name !== 'groupName')
