import { type Directory, DirectoryError } from '../../ldap/directory.ts'
import { keyOfAny, sameDn } from '../../ldap/dn.ts'
import { difference } from '../entry/compare.ts'
import { type GroupClass, memberAttribute } from '../entry/entry-shape.ts'
import { placeholderMember } from '../entry/places.ts'
import type { Claim } from '../ledger/claim.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { statements } from '../statements.ts'

export interface ReleaseOptions {
  directory: Pick<Directory, 'baseDn' | 'read' | 'write'>
  ledger: Pick<Ledger, 'groupsBelow' | 'makeDueBelow' | 'writesMemberOf'>
  claim: Claim
  groupClass: GroupClass
}

/**
 * Removes the members of all groups below one that is about to be renamed or moved, where the server maintains their
 * `memberOf`; the reconciler puts them back once the groups are at their new DNs. slapd's memberof overlay follows the
 * renaming of a group itself but not that of an entry above it. People would keep the old DN for ever, since clients
 * cannot write `memberOf`, and later changes of `member` only add to it (slapd 2.5.13).
 * @throws DirectoryError, also if another instance is writing one of them, so that the move has to wait
 */
export const releaseMembersBelow = async (
  { directory, ledger, claim, groupClass }: ReleaseOptions,
  from: string,
  to: string,
): Promise<void> => {
  if (sameDn(from, to)) return
  const attribute = memberAttribute(groupClass)
  const placeholder = placeholderMember(directory.baseDn)
  const below = await ledger.groupsBelow(from)
  // What Steward writes follows by itself.
  if (below.length === 0 || (await ledger.writesMemberOf())) return
  let state: 'unknown' | 'followed' | 'due' = 'unknown'
  for (const dn of below) {
    const entry = dn.startsWith('cn=') ? await directory.read(dn, [attribute]) : null
    const member = entry?.attributes[attribute]?.find((value) => keyOfAny(value) !== keyOfAny(placeholder))
    if (entry === null || member === undefined) continue
    if (state === 'unknown' && (await isFollowed(directory, member))) state = 'followed'
    if (state === 'unknown') continue
    if (state === 'followed') {
      // Before the first is emptied, so that they are filled again in any case.
      if (!(await ledger.makeDueBelow(claim, from))) {
        throw new DirectoryError('unavailable', statements.group_written_elsewhere(), { answered: true })
      }
      state = 'due'
    }
    for (const changes of difference({ ...entry, dn }, { [attribute]: [placeholder] })) {
      await directory.write({ kind: 'modify', dn, changes })
    }
  }
}

const isFollowed = async ({ read }: Pick<Directory, 'read'>, member: string): Promise<boolean> =>
  ((await read(member, ['memberOf']))?.attributes.memberOf ?? []).length > 0
