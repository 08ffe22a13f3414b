import { createHmac } from 'node:crypto'
import type { Statement } from '../../failures/statement.ts'
import { statements } from '../statements.ts'
import { adoptable, isSalted, schemeOf } from './password-values.ts'

/**
 * How the connected server treats values of a scheme. `proved`: it accepts a right password and refuses a wrong one.
 * `disproved`: it does not, so a value would be useless, or (on a server that treats it as plain text) the text of the
 * hash would be the password. `unknown`: it could not be tested.
 */
export interface SchemeProof {
  verdict: 'proved' | 'disproved' | 'unknown'
  /** Whether the server returns the value as it was written. */
  shown: boolean
  /** Why it is not proved; null: it is. */
  reason: Statement | null
}

/** What is known about passwords during a connection. */
export interface PasswordTerms {
  of(scheme: string): SchemeProof
  /** Whether the server returns values in the scheme of new hashes. */
  shown: boolean
  /** A keyed digest, so that the ledger reveals nothing about a password. */
  digest(value: string): string
  /** Whether the record takes over a password that was changed in this directory; otherwise its own is written again. */
  adopts: boolean
  /** Whether a plain text password can be adopted too, as a hash that the server was proved to verify. */
  adoptsClear: boolean
  /** The password of which a record holds this value, while it is known: see fresh-passwords.ts. Absent: never. */
  fresh?: (value: string) => string | null
}

export interface PasswordSides {
  /** The value for `userPassword`; null: the person cannot sign in. */
  wanted: string | null
  /** The scheme in which it is to be and no hash of it was made yet, so that `wanted` is null; null: there is one. */
  lacks: string | null
  /** Whether the person may sign in at all. */
  enabled: boolean
  /** Whether the record was changed since its entry was last equal to it. */
  changed: boolean
  /** The entry's values; null: there is no entry yet. */
  present: readonly string[] | null
  /** The last state in the ledger: `held` or `withheld`, and the digest of the record's value; null: not known. */
  settled: string | null
  /** Which password the record holds, and of which one the last state is; see db/tables/people.ts. */
  ids: { record: string | null; settled: string | null }
  /** Digests of the values that the entry was given before the last one. Default: none. */
  former?: readonly string[]
}

export interface MergedPassword {
  /** The new value of the entry; null: it is not changed. */
  values: string[] | null
  /** Whether the entry's value can be compared with that. */
  comparable: boolean
  /** The new state for the ledger, once the entry is in sync. */
  settled: string | null
  /** Which password that state is of. */
  passwordId: string | null
  /** Why the directory does not have the record's password; null: it has it. */
  note: Statement | null
  /** A value of the entry that the record adopts. */
  adopt: string | null
  /**
   * Whether the entry keeps a value that is not that of the record and is not adopted: the directory may accept a
   * password that Steward does not know. null: the server does not return the value of the entry.
   */
  foreign: boolean | null
  /** What the entry holds is another hash of the same password, or nothing: if the new one is refused, it stays. */
  isRenewal: boolean
  /**
   * Whether the entry holds a value that it was given before, such as after a restore of the directory: that of the record
   * is written again.
   */
  isFormer: boolean
  /** Whether it waits for what a test of the scheme says: the entry is compared completely again after that. */
  isUntested: boolean
}

/** The state for the password of an adopted entry: nothing yet. A record without a password adopts it. */
export const passwordFound = 'found'

/**
 * In the place of the id of a password where the state is not known: the entry is to get that of the record, and what it has
 * is not known. Not a state of its own: the previous release, which does not read ids, would empty the entry.
 */
export const waitingId = '00000000-0000-0000-0000-000000000000'

/**
 * A password can be changed in Steward and, with `ldappasswd` or PAM, in the directory. The last state shows which side
 * has changed. If both have, the password of the record is used: it was set on purpose.
 */
export const mergePassword = (sides: PasswordSides, terms: PasswordTerms): MergedPassword => {
  const { wanted, lacks, enabled, changed, present, ids } = sides
  const digest = terms.digest(wanted ?? '')
  const isOneId = ids.record === ids.settled
  const settled = writtenUntold(sides, terms) ?? sides.settled
  const { wasHeld, wasWithheld, before } = stateBefore(settled)
  const proof = proofOf(sides, terms)
  const holds = enabled && wanted !== null && proof.verdict === 'proved'
  const target = holds && wanted !== null ? [wanted] : []
  const note = enabled ? noteOf(lacks, proof) : null
  const isSame = wasHeld && isOneId
  const isAsWritten = !present?.length || (present.length === 1 && terms.digest(present[0] ?? '') === before)
  const isThere = wanted !== null && present?.length === 1 && present[0] === wanted
  /** The ledger has this very value of the record. */
  const isNoted = wasHeld && before === digest
  const merged = (values: string[] | null, more: Partial<MergedPassword> = {}): MergedPassword => ({
    values,
    comparable: proof.shown,
    settled: enabled ? `${holds ? 'held' : 'withheld'} ${digest}` : null,
    passwordId: more.settled === undefined || isNoted ? ids.record : ids.settled,
    note,
    adopt: null,
    foreign: values === null && !proof.shown ? null : false,
    isRenewal: enabled && isSame && isAsWritten,
    isFormer: false,
    isUntested: false,
    ...more,
  })

  if (present === null) return merged(target)
  const [first] = present
  // What is seen there goes whatever was tested.
  if (!enabled) return merged(changed || wasHeld || proof.shown || first !== undefined ? [] : null)
  // That of the former password goes, also where the directory may be unable to verify what follows.
  if (lacks !== null) return merged(changed || wasHeld || settled === null || proof.shown ? [] : null)
  // It was written, or adopted, and the ledger was not told: the process ended. No test is needed to see that.
  if (proof.verdict === 'unknown' && isThere) {
    return merged(null, { settled: `held ${digest}`, passwordId: ids.record, note: null, foreign: false })
  }
  // A value that cannot be compared is written if the record's value was changed, or may not be in the directory.
  if (wasHeld && !proof.shown) {
    // The directory was proved to verify the other hash of the same password when it was given that.
    if (proof.verdict === 'disproved' && isSame && !isNoted) return merged(null, { settled, isUntested: true })
    if (proof.verdict !== 'unknown') return merged(isNoted && holds ? null : target)
    // That of the former password goes, although none follows it until the server lets the scheme be tested.
    if (!isOneId && !isNoted) return merged([])
    return merged(null, { settled, note: isNoted ? null : note, isUntested: !isNoted })
  }
  if (settled === null && !proof.shown) {
    // That there was a change is not seen any more after the test.
    const waits = changed || ids.settled === waitingId
    if (proof.verdict === 'unknown') {
      const passwordId = waits ? waitingId : ids.settled
      return merged(null, { settled, passwordId, note: waits ? note : null, isUntested: true })
    }
    return holds && !waits ? merged(null, { settled }) : merged(target)
  }
  if (holds && isThere) return merged(null)
  // It has none, or, where that is not seen, one whose writing the ledger was not told of.
  const isBare = wasWithheld && first === undefined && (isOneId || before === digest)
  if (proof.verdict === 'unknown' && isBare) return merged(null, { settled })
  // Another hash of the same password, which the directory verifies, does not go for one that it does not. Nor where a test
  // is refused now: it was given that hash because it verified it.
  const isVerified = first !== undefined && terms.of(schemeOf(first) ?? '').verdict !== 'disproved'
  if (proof.verdict === 'disproved' && isSame && isAsWritten && isVerified) {
    return merged(null, { settled, isUntested: true })
  }
  const asSettled = wasHeld ? first !== undefined && isAsWritten : first === undefined || (wasWithheld && isAsWritten)
  const isFound = settled === passwordFound && wanted === null
  // A sign-in here has stored another hash of the former password: it was not changed here.
  const isRenewed = isOneId && terms.adopts && (wasHeld || wasWithheld)
  if (!isFound && (settled === null || asSettled || (before !== digest && !isRenewed))) return merged(target)
  if (first === undefined || !terms.adopts) return merged(target)
  if (isOneOf(sides.former, present, terms)) return merged(target, { isFormer: true })
  // The single password of an adopted entry is not a second password: the record has none.
  const left = (why: Statement): MergedPassword =>
    merged(null, { settled, note: note ?? why, foreign: present.length > 1 || !isFound })
  if (present.length > 1) return left(statements.several_passwords({ count: present.length }))
  const form = adoptable(first)
  if (form === 'clear' && !terms.adoptsClear) return left(statements.clear_password())
  if (form === null) {
    const name = schemeOf(first)
    return left(name === null ? statements.weak_password() : statements.unknown_hash({ scheme: name }))
  }
  return merged(null, { settled, adopt: first })
}

/**
 * Whether the entry was given this very value before, and not since. With a salt, the same password has another value each
 * time that it is set.
 */
const isOneOf = (former: PasswordSides['former'], present: readonly string[], { digest }: PasswordTerms): boolean => {
  const [value = ''] = present
  return present.length === 1 && isSalted(value) && former?.includes(digest(value)) === true
}

/**
 * The state of an entry that was given the hash while the ledger was not told, and of whose password the record may have another hash
 * by now; null: it is another one.
 */
const writtenUntold = ({ present, settled, ids }: PasswordSides, { digest }: PasswordTerms): string | null => {
  const { wasWithheld, before } = stateBefore(settled)
  const isThere = present?.length === 1 && digest(present[0] ?? '') === before
  return wasWithheld && isThere && ids.record === ids.settled ? `held ${before}` : null
}

/** What the ledger has: of which value the entry was given the hash, or not; `before` is its digest. */
const stateBefore = (settled: string | null) => ({
  wasHeld: settled?.startsWith('held ') ?? false,
  wasWithheld: settled?.startsWith('withheld ') ?? false,
  before: settled?.slice(settled.indexOf(' ') + 1) ?? null,
})

const proofOf = (sides: PasswordSides, terms: PasswordTerms): SchemeProof => {
  const { wanted, lacks, enabled, changed, settled, ids } = sides
  const scheme = wanted === null ? lacks : (schemeOf(wanted) ?? '')
  if (scheme !== null) return terms.of(scheme)
  // Where none is to be there, a former one is taken away whether the server shows it or not; of a person who is disabled also
  // one that Steward did not write.
  const { wasHeld, wasWithheld } = stateBefore(settled)
  const isNoneLeft = enabled ? !wasHeld && (!wasWithheld || ids.record === ids.settled) : !wasHeld && !changed
  return { verdict: 'proved', shown: terms.shown || isNoneLeft, reason: null }
}

const noteOf = (lacks: string | null, { verdict, reason }: SchemeProof): Statement | null => {
  if (lacks !== null) return statements.password_unhashed({ scheme: `{${lacks}}` })
  return verdict === 'proved' ? null : statements.password_absent({ reason: reason ?? statements.not_asked_yet() })
}

export const passwordDigest =
  (key: Buffer) =>
  (value: string): string =>
    createHmac('sha256', key).update(value).digest('base64url')
