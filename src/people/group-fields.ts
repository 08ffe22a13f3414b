import { reservedGroupNames } from '../mirror/places.ts'
import { nameKey } from './names.ts'
import { reasons } from './reasons.ts'

/** A group of the directory's own making would be mixed up with one of these. */
const reserved: Readonly<Record<string, readonly string[]>> = {
  ou: reservedGroupNames,
  // The member that stands for nobody in an empty group.
  cn: ['nobody'],
}

/**
 * The columns that a group's name goes into.
 * @param parentId null: directly under the base
 * @throws AppError naming the field: invalid for a name nobody could see, conflict for one the layout needs itself
 */
export const nameColumns = (
  groupName: string,
  groupType: string,
  parentId: number | null,
): { groupName: string; groupNameKey: string } => {
  const groupNameKey = nameKey('groupName', groupName)
  if (parentId === null && reserved[groupType]?.includes(groupNameKey)) {
    throw reasons.group_name_reserved.at('groupName')
  }
  return { groupName, groupNameKey }
}
