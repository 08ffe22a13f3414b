import { isDeepStrictEqual } from 'node:util'
import { NotSent } from '../../ldap/brake.ts'
import { type Change, type Directory, DirectoryError, type Write } from '../../ldap/directory.ts'
import { memberLists } from '../entry/entry-shape.ts'
import { ntHashAttribute } from '../entry/nt-hash.ts'
import { placeholderMember } from '../entry/places.ts'
import { sshKeyAttribute } from '../entry/ssh-keys.ts'
import { secretWritten } from '../plan/account.ts'
import type { Item } from '../plan/item.ts'
import type { Outcome } from '../plan/outcome.ts'
import type { Found, Plan } from '../plan/plan.ts'

/** What decides whether and with what a person signs in, and which groups they are in. */
const grants: ReadonlySet<string> = new Set([
  ...['userPassword', 'userAccountControl', ntHashAttribute, sshKeyAttribute, 'memberOf'],
  ...memberLists,
])

/**
 * A value that the directory refuses, or a name that it refuses or that is not free yet, must not keep a former password
 * valid, an account enabled, or a person in a group: what is about these is written without it, at the present DN of the
 * entry. An entry that cannot be removed loses it.
 * @param left the writes that were not carried out, the refused one first
 * @returns the outcome, with the state of the password @throws DirectoryError if the server has not answered
 */
export const despiteRefusal = async (
  directory: Pick<Directory, 'write' | 'baseDn'>,
  planned: Plan,
  left: readonly Write[],
  outcome: Outcome,
): Promise<Outcome> => {
  const { dn } = outcome
  const { found, item } = planned
  if (dn === null || found === null || left.length === 0 || outcome.result === 'removed') return outcome
  // Where it is not at its DN, a server that maintains memberOf would leave the former DN of a group in it.
  if (item.password === null && left[0]?.kind !== 'modify' && found.dn !== item.dn) return outcome
  try {
    let isAll = true
    for (const attempts of neededOf(directory.baseDn, planned, found, left)) {
      isAll = (await carriedOut(directory, dn, attempts)) && isAll
    }
    if (isAll && item.wanted === null) return { ...outcome, passwordDigest: null }
    if (!isAll || item.password === null) return outcome
    const { settled, foreign } = item.password
    const state = { passwordDigest: settled, ...(foreign !== null && { foreignPassword: foreign }) }
    const done = await secretWritten(directory, planned, { ...outcome, ...state })
    return { ...done, error: outcome.error }
  } catch (error) {
    // The refusal before it is what happened to this one.
    if (error instanceof NotSent) return outcome
    if (!(error instanceof DirectoryError) || (error.kind === 'unavailable' && !error.answered)) throw error
    return outcome
  }
}

/** What is tried in the place of a write, one after the other until the directory accepts one. */
interface Attempts {
  requests: Change[][]
  /** The request after which nothing of it is left to do. */
  isAll: (changes: Change[]) => boolean
}

const neededOf = (baseDn: string, { item }: Plan, found: Found, left: readonly Write[]): Attempts[] => {
  const [first] = left
  if (first?.kind === 'add') return []
  if (left.some(({ kind }) => kind === 'delete')) {
    return emptied(baseDn, item, found).map((change) => ({ requests: [[change]], isAll: () => true }))
  }
  return left.flatMap((write) => {
    if (write.kind !== 'modify') return []
    const { changes } = write
    const about = changes.filter(({ attribute }) => grants.has(attribute))
    if (about.length === 0) return []
    const taken = about.filter(({ operation, values }) => operation === 'delete' || values.length === 0)
    // All of it, with the classes that it needs, where it is for this DN.
    const tried = first?.kind === 'rename' ? [about, taken] : [changes, about, taken]
    const requests = tried.filter(
      ({ length }, at) =>
        length > 0 && length !== tried[at - 1]?.length && !(write === first && length === changes.length),
    )
    return [{ requests, isAll: ({ length }) => length >= about.length }]
  })
}

/** The changes of the entry of a record that is deleted, each a request, because classes may require a value. */
const emptied = (baseDn: string, item: Item, { entry: { attributes } }: Found): Change[] => {
  const { objectClass = [], sAMAccountName } = attributes
  const isPerson = sAMAccountName === undefined && objectClass.some((name) => name.toLowerCase() === 'inetorgperson')
  return [...grants].flatMap((attribute): Change[] => {
    const present = attributes[attribute] ?? []
    const values = sAMAccountName === undefined && needsMember.has(attribute) ? [placeholderMember(baseDn)] : []
    // Not every server returns a password.
    const mayBeThere = isPerson && attribute === 'userPassword' && (item.attempts === 0 || item.passwordDigest !== null)
    const isThere = mayBeThere || present.length > 0
    const isDone = present.length > 0 && isDeepStrictEqual(present, values)
    return isThere && !isDone && attribute !== 'userAccountControl' ? [{ operation: 'replace', attribute, values }] : []
  })
}

/** The classes of groups require a member. */
const needsMember: ReadonlySet<string> = new Set(['member', 'uniqueMember'])

/** @returns whether nothing of it is left to do @throws NotSent, or a DirectoryError without an answer */
const carriedOut = async (
  { write }: Pick<Directory, 'write'>,
  dn: string,
  { requests, isAll }: Attempts,
): Promise<boolean> => {
  for (const changes of requests) {
    try {
      await write({ kind: 'modify', dn, changes })
      return isAll(changes)
    } catch (error) {
      if (!(error instanceof DirectoryError) || (error.kind === 'unavailable' && !error.answered)) throw error
    }
  }
  return false
}
