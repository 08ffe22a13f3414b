import type { GroupField } from '../db/tables/fields.ts'
import type { components } from '../generated/directory.types.ts'
import { reservedGroupNames } from '../mirror/places.ts'
import type { Within } from '../within.ts'
import { nameKey } from './names.ts'
import { reasons } from './reasons.ts'

type Schemas = components['schemas']
type Added = Exclude<keyof Schemas['AddGroup'], 'groupType' | 'parentId'>
type Updated = Exclude<keyof Schemas['UpdateGroup'], 'id'>

/** Those that the contract lets callers set: all that are declared, and no others. */
type Settable = Within<GroupField, Added | Updated> | Within<Added, GroupField> | Within<Updated, GroupField>

type GroupFields = Partial<Record<Settable, string>>

/** A group of the directory's own making would be mixed up with one of these. */
const reserved: Readonly<Record<string, readonly string[]>> = {
  ou: reservedGroupNames,
  // The member that stands for nobody in an empty group.
  cn: ['nobody'],
}

/**
 * The columns for those fields of a request that are there.
 * @param parentId null: directly under the base
 * @throws AppError naming the field: invalid for a name nobody could see, conflict for one the layout needs itself
 */
export const groupColumns = <Fields extends GroupFields & { groupName: string }>(
  fields: Fields,
  groupType: string,
  parentId: number | null,
): Fields & { groupNameKey: string } => {
  const groupNameKey = nameKey('groupName', fields.groupName)
  if (parentId === null && reserved[groupType]?.includes(groupNameKey)) {
    throw reasons.group_name_reserved.at('groupName')
  }
  return { ...fields, groupNameKey }
}
