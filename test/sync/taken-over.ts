import type { Organisation } from '../../scripts/fakes/organisation.ts'
import { type Asked, usersAndGroups } from '../faults/entries.ts'
import { type Platform, snapshotOf } from '../sources/platforms.ts'
import type { CloudSlot } from './clouds.ts'

/**
 * One line for each department or person of an organisation who is not here as the platform tells it, and for each who
 * is here and should not be. Written without the code that takes them over. A person must be here once; who does not
 * work there any more may be here, disabled.
 */
export const differencesTo = async (
  asked: Asked,
  { slot, platform }: { slot: CloudSlot; platform: Platform },
  organisation: Organisation,
): Promise<string[]> => {
  const told = snapshotOf(organisation, platform)
  const { users, groups } = await usersAndGroups(asked)
  const ours = groups.filter(({ source, sourceDeptId }) => source === slot && sourceDeptId !== '')
  const groupOf = new Map(ours.map((group) => [group.id, group]))
  const root = platform.departmentId('')

  const wanted = [
    `group ${root} ${slot} below nothing`,
    ...told.departments.map(({ id, parentId, name }) => `group ${id} ${plain(String(name))} below ${parentId}`),
    ...told.users
      .filter(({ active }) => active)
      .map(({ id, departmentIds, name }) => `person ${id} ${String(name)} in ${departmentIds.join()}`),
  ]
  const found = [
    ...ours.map(({ sourceDeptId, groupName, parentId }) => {
      const above = parentId === 0 ? 'nothing' : (groupOf.get(parentId)?.sourceDeptId ?? `group ${parentId}`)
      return `group ${sourceDeptId} ${plain(groupName)} below ${above}`
    }),
    ...users
      .filter(({ source, status }) => source === slot && status === 1)
      .map(({ sourceUserId, nickname, departmentId }) => {
        const departments = departmentId.map((id) => groupOf.get(id)?.sourceDeptId ?? `group ${id}`)
        return `person ${sourceUserId} ${nickname} in ${departments.sort().join()}`
      }),
  ]
  const here = users.filter(({ source }) => source === slot).map(({ sourceUserId }) => sourceUserId)
  return [
    ...without(wanted, found).map((line) => `missing: ${line}`),
    ...without(found, wanted).map((line) => `not at the source: ${line}`),
    ...here.filter((id, index) => here.indexOf(id) !== index).map((id) => `twice: ${id}`),
  ]
}

/** Of siblings with one name, the second got a number. */
const plain = (name: string): string => name.replace(/\d+$/, '')

const without = (lines: readonly string[], others: readonly string[]): string[] => {
  const known = new Set(others)
  return lines.filter((line) => !known.has(line))
}
