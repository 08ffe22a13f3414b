import type { GroupField } from '../db/tables/fields.ts'
import type { components } from '../generated/directory.types.ts'
import { reservedGroupNames } from '../mirror/entry/places.ts'
import { nameKey } from './names.ts'
import { reasons } from './reasons.ts'
import type { Within } from './within.ts'

type Schemas = components['schemas']
type Added = Exclude<keyof Schemas['AddGroup'], 'groupType' | 'parentId'>
type Updated = Exclude<keyof Schemas['UpdateGroup'], 'id' | 'version'>

/** Those that the contract lets callers set: all that are declared, and no others. */
type Settable = Within<GroupField, Added | Updated> | Within<Added, GroupField> | Within<Updated, GroupField>

type GroupFields = Partial<Record<Settable, string>>

/** A group with one of these names would be confused with the directory's own entries. */
const reserved: Readonly<Record<string, readonly string[]>> = {
  ou: reservedGroupNames,
  // The member of an empty group, which must have one.
  cn: ['nobody'],
}

/**
 * The columns for those fields of a request that are present.
 * @param parentId null: directly under the base
 * @throws AppError naming the field: invalid for an invisible name, conflict for one that the layout needs itself
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
