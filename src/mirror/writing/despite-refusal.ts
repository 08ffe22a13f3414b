import { isDeepStrictEqual } from 'node:util'
import { NotSent } from '../../ldap/brake.ts'
import { type Attributes, type Change, type Directory, DirectoryError, type Write } from '../../ldap/directory.ts'
import { isServerRefusal } from '../../ldap/result-code.ts'
import { memberLists } from '../entry/entry-shape.ts'
import { ntHashAttribute } from '../entry/nt-hash.ts'
import { placeholderMember } from '../entry/places.ts'
import { sshKeyAttribute } from '../entry/ssh-keys.ts'
import { secretWritten } from '../plan/account.ts'
import type { Item } from '../plan/item.ts'
import { type Outcome, serverBackoff, stateOf } from '../plan/outcome.ts'
import type { Found, Plan } from '../plan/plan.ts'
import { joined, statements } from '../statements.ts'

/** What decides whether and with what a person signs in, and which groups they are in. */
const grants: ReadonlySet<string> = new Set([
  ...['userPassword', 'userAccountControl', ntHashAttribute, sshKeyAttribute, 'memberOf'],
  ...memberLists,
])

/**
 * A value that the directory refuses, or a name that it refuses or that is not free yet, must not keep a former password
 * valid, an account enabled, or a person in a group: what is about these is written without it, at the present DN of the
 * entry. Where it refuses a new password, key or the like itself, the former one is taken away; another hash of the same
 * password stays. An entry that cannot be removed loses all of it.
 * @param left the writes that were not carried out, the refused one first
 * @returns the outcome, with the state of the password; a record that was to be parked is tried again if the server did
 *   not take anything away for reasons of its own @throws DirectoryError if the server has not answered
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
  if (!isPerson(found) && left[0]?.kind !== 'modify' && found.dn !== item.dn) return outcome
  try {
    const ends: Ended[] = []
    let reported = outcome
    for (const attempts of neededOf(directory.baseDn, planned, found, left)) {
      const end = await carriedOut(directory, dn, attempts, wasBusy(outcome))
      ends.push({ end, decidesSignIn: decidesSignIn(attempts) })
      const isKept = (end === 'refused' || end === 'later') && replacesPassword(attempts)
      if (isKept) reported = { ...reported, error: joined([reported.error, statements.password_not_taken_away()]) }
    }
    return await withState(directory, planned, ends, reported)
  } catch (error) {
    // The refusal before it is what happened to this one.
    if (error instanceof NotSent) return retriedSoon(item, outcome)
    if (!(error instanceof DirectoryError) || (error.kind === 'unavailable' && !error.answered)) throw error
    const reported = { ...outcome, error: joined([outcome.error, error.stated]) }
    return isServerRefusal(error) ? retriedSoon(item, reported) : reported
  }
}

/** Whether the server may take the same request a moment later. */
const wasBusy = ({ refusedByServer, unseen }: Outcome): boolean => refusedByServer !== undefined && unseen

/**
 * What became of a write. `taken`: only what it takes away; `withoutPassword`: the former password with it. `later`: not even
 * that, for reasons of the server.
 */
type End = 'all' | 'taken' | 'withoutPassword' | 'refused' | 'later'

interface Ended {
  end: End
  /** Whether it was about the password or the account; otherwise the state of these does not depend on it. */
  decidesSignIn: boolean
}

const replacesPassword = ({ tried }: Attempts): boolean => tried.some(({ end }) => end === 'withoutPassword')

const decidesSignIn = ({ about }: Attempts): boolean =>
  about.some(({ attribute }) => attribute === 'userPassword' || attribute === 'userAccountControl')

const withState = async (
  directory: Pick<Directory, 'write'>,
  planned: Plan,
  ends: readonly Ended[],
  outcome: Outcome,
): Promise<Outcome> => {
  const { item } = planned
  const has = (one: End): boolean => ends.some(({ end }) => end === one)
  const reported = has('later') ? retriedSoon(item, outcome) : outcome
  const isAll = ends.every(({ end }) => end === 'all')
  if (isAll && item.wanted === null) return { ...reported, passwordDigest: null }
  if (item.password === null) return reported
  const { foreign } = item.password
  const state = stateOf(item.password)
  if (has('withoutPassword')) {
    const passwordDigest = state.passwordDigest?.replace(/^held /, 'withheld ') ?? null
    const error = joined([reported.error, statements.password_taken_away()])
    return { ...reported, ...state, passwordDigest, foreignPassword: false, error }
  }
  // In Active Directory the former password goes with the last step, whatever was refused before it.
  const isDecided = ends.every(({ end, decidesSignIn }) => end === 'all' || !decidesSignIn)
  if (!isDecided && !item.secretWrite) return reported
  const done = await secretWritten(directory, planned, {
    ...reported,
    ...state,
    ...(foreign !== null && { foreignPassword: foreign }),
  })
  return done.error === reported.error ? done : { ...done, error: joined([reported.error, done.error]) }
}

/** The person gets in as before: that must not last until an administrator looks at it. */
const retriedSoon = (item: Item, outcome: Outcome): Outcome =>
  outcome.result === 'parked' ? { ...outcome, result: 'retry', delay: serverBackoff(item.attempts) } : outcome

/** What is tried in the place of a write, one after the other until the directory accepts one. */
interface Attempts {
  /** The changes of it that matter. */
  about: readonly Change[]
  tried: readonly { changes: Change[]; end: End }[]
}

const neededOf = (baseDn: string, { item }: Plan, found: Found, left: readonly Write[]): Attempts[] => {
  const [first] = left
  if (first?.kind === 'add') return []
  if (left.some(({ kind }) => kind === 'delete')) {
    return emptied(baseDn, item, found).map((change) => ({
      about: [change],
      tried: [{ changes: [change], end: 'all' }],
    }))
  }
  return left.flatMap((write) => {
    if (write.kind !== 'modify') return []
    const { changes } = write
    const about = changes.filter(({ attribute }) => grants.has(attribute))
    if (about.length === 0) return []
    const keepsPassword = item.password?.isRenewal === true
    const taken = about.flatMap((change) => withoutGiven(change, found.entry.attributes, keepsPassword))
    const replaces = about.some(({ attribute, values }) => attribute === 'userPassword' && values.length > 0)
    const isWithout = replaces && !keepsPassword
    const all: Attempts['tried'] = [
      // All of it, with the classes that it needs, where it is for this DN.
      ...(first?.kind === 'rename' ? [] : [{ changes, end: 'all' } as const]),
      { changes: about, end: 'all' },
      { changes: taken, end: isDeepStrictEqual(taken, about) ? 'all' : isWithout ? 'withoutPassword' : 'taken' },
    ]
    const tried = all.filter(
      (one, at) =>
        one.changes.length > 0 &&
        !isDeepStrictEqual(one.changes, all[at - 1]?.changes) &&
        !(write === first && isDeepStrictEqual(one.changes, changes)),
    )
    return [{ about, tried }]
  })
}

/** What of a change takes something away: what it replaces goes, also where the new values are refused. */
const withoutGiven = (change: Change, present: Attributes, keepsPassword: boolean): Change[] => {
  const { operation, attribute, values } = change
  if (operation === 'delete' || values.length === 0) return [change]
  const isPassword = attribute === 'userPassword'
  if (operation === 'add' || attribute === 'userAccountControl' || (isPassword && keepsPassword)) return []
  const before = present[attribute] ?? []
  const kept = before.filter((value) => values.some((one) => one === value))
  // Not every server returns a password.
  return kept.length < before.length || isPassword ? [{ operation, attribute, values: kept }] : []
}

/** Of Active Directory, too. The classes that it inherits from need not be listed. */
const isPerson = ({ entry: { attributes } }: Found): boolean =>
  (attributes.objectClass ?? []).some((name) => ['person', 'inetorgperson'].includes(name.toLowerCase()))

/** The changes of the entry of a record that is deleted, each a request, because classes may require a value. */
const emptied = (baseDn: string, item: Item, found: Found): Change[] => {
  const { attributes } = found.entry
  const isAccount = attributes.sAMAccountName !== undefined
  return [...grants].flatMap((attribute): Change[] => {
    const present = attributes[attribute] ?? []
    const values = !isAccount && needsMember.has(attribute) ? [placeholderMember(baseDn)] : []
    // Not every server returns a password.
    const mayBeThere =
      !isAccount &&
      isPerson(found) &&
      attribute === 'userPassword' &&
      (item.attempts === 0 || item.passwordDigest !== null)
    const isThere = mayBeThere || present.length > 0
    const isDone = present.length > 0 && isDeepStrictEqual(present, values)
    return isThere && !isDone && attribute !== 'userAccountControl' ? [{ operation: 'replace', attribute, values }] : []
  })
}

/** The classes of groups require a member. */
const needsMember: ReadonlySet<string> = new Set(['member', 'uniqueMember'])

/**
 * @param wasBusy whether the server was before
 * @throws NotSent, or a DirectoryError without an answer
 */
const carriedOut = async (
  { write }: Pick<Directory, 'write'>,
  dn: string,
  { tried }: Attempts,
  wasBusy: boolean,
): Promise<End> => {
  let isBusy = wasBusy
  let end: End = isBusy ? 'later' : 'refused'
  for (const { changes, end: done } of tried) {
    // It may take the new password a moment later.
    if (isBusy && done === 'withoutPassword') break
    try {
      await write({ kind: 'modify', dn, changes })
      return done
    } catch (error) {
      if (!(error instanceof DirectoryError) || (error.kind === 'unavailable' && !error.answered)) throw error
      isBusy = error.kind === 'unavailable'
      end = isServerRefusal(error) ? 'later' : 'refused'
    }
  }
  return end
}
