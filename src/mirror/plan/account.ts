import type { Change, Directory, Entry, Write } from '../../ldap/directory.ts'
import { DirectoryError } from '../../ldap/directory-error.ts'
import { resultCodes } from '../../ldap/result-code.ts'
import { accountBits } from '../entry/active-directory.ts'
import { type PasswordTerms, passwordFound } from '../passwords/password-merge.ts'
import { joined, statements } from '../statements.ts'
import type { Item } from './item.ts'
import type { Outcome } from './outcome.ts'
import type { Plan } from './plan.ts'

// Passwords and accounts in Active Directory. It stores no hashes, and returns no password: `unicodePwd` can only be
// written, in clear text. So the ledger remembers of which hash of the record the directory has the password (`held`), and
// an account is enabled if and only if that is the present one. A password that was changed while its clear text could
// not be written therefore disables the account: its old password must not work any more.

/** The server computes it ([MS-ADTS] section 3.1.1.4.5.17), also from the age of the password: it changes without a write. */
export const computedControl = 'msDS-User-Account-Control-Computed'
/** In it: the password has expired, or has to be changed. */
const expiredBit = 0x800000

/** No hash is compared or written here. */
const notCompared = {
  values: null,
  comparable: true,
  adopt: null,
  isRenewal: false,
  isFormer: false,
  isUntested: false,
} as const

/** The password to write, and what follows from the answer. */
export interface SecretWrite {
  password: string
  /** The values of `userAccountControl` for an account that is enabled, and for one that is disabled. */
  enabled: string
  disabled: string
  /** The state for the ledger if the directory refuses the password. */
  refused: string
  /** Whether the account may have another password by now. */
  replaces: boolean
}

/**
 * The item with the account that this entry should have: `userAccountControl`, with bits of others as they are, and the
 * password if its clear text is known and the directory has not got it.
 * @param entry null: the entry does not exist yet
 */
export const withAccount = (item: Item, entry: Entry | null, terms: PasswordTerms): Item => {
  if (item.wanted === null || item.enabled === null) return item
  const present = Number(entry?.attributes.userAccountControl?.[0] ?? accountBits.normal | accountBits.disabled)
  const enabled = String((present & ~accountBits.disabled & ~accountBits.passwordNotRequired) | accountBits.normal)
  const disabled = String(Number(enabled) | accountBits.disabled)
  const digest = terms.digest(item.secret ?? '')
  const isSame = entry !== null && item.entryUuid !== null && item.entryUuid === entry.attributes.entryUUID?.[0]
  const settled = isSame ? item.passwordDigest : null
  const shown = (
    value: string,
    state: string | null,
    {
      note = null,
      secret = null,
      foreign = false,
    }: Partial<Pick<Item, 'note' | 'secretWrite'>> & {
      secret?: SecretWrite | null
      foreign?: boolean
    } = {},
  ): Item => ({
    ...item,
    wanted: item.wanted && { ...item.wanted, attributes: { ...item.wanted.attributes, userAccountControl: [value] } },
    password: {
      ...{ ...notCompared, settled: state, note, foreign },
      passwordId: state?.endsWith(` ${digest}`) ? item.secretId : item.passwordId,
    },
    secretWrite: secret,
  })

  // The password stays in the entry: a person who is enabled again signs in with it, unless it was changed.
  if (!item.enabled) return shown(disabled, settled)
  // An administrator has adopted the entry: the account works as before, until the person signs in here.
  const asAdopted = presentOf(present, enabled, disabled)
  if (item.secret === null) {
    return settled === passwordFound ? shown(asAdopted, settled, { foreign: true }) : shown(disabled, null)
  }
  // Also where a sign-in has stored another hash of the same password, which the directory does not get.
  const isSamePassword = settled !== null && /^(held|expired) /.test(settled) && item.passwordId === item.secretId
  const isHeld = isSamePassword || settled === `held ${digest}` || settled === `expired ${digest}`
  const isExpired = (Number(entry?.attributes[computedControl]?.[0] ?? 0) & expiredBit) !== 0
  if (isHeld && !isExpired) return shown(enabled, `held ${digest}`)
  const password = terms.fresh?.(item.secret) ?? null
  if (password !== null) {
    const secret = { password, enabled, disabled, refused: `refused ${digest}`, replaces: entry !== null }
    // Enabled, if it is not yet, together with the password.
    const value = (present & accountBits.disabled) === 0 ? enabled : disabled
    return shown(value, `held ${digest}`, { secret })
  }
  // The directory refuses it by itself, and may let its owner change it.
  if (isHeld) return shown(enabled, `expired ${digest}`, { note: statements.password_expired() })
  if (settled === passwordFound) return shown(asAdopted, settled, { note: waits(), foreign: true })
  const state = settled === `refused ${digest}` ? settled : `withheld ${digest}`
  return shown(disabled, state, { note: state === settled && state.startsWith('refused') ? refusedBefore() : waits() })
}

const presentOf = (present: number, enabled: string, disabled: string): string =>
  (present & accountBits.disabled) === 0 ? enabled : disabled

const waits = () => statements.password_waits()
const refusedBefore = () => statements.password_refused_before()

/** In the form that the directory takes ([MS-ADTS] section 3.1.1.3.1.5): between quotation marks, two octets for each unit. */
const octetsOf = (password: string): Buffer => Buffer.from(`"${password}"`, 'utf16le')

/**
 * Sets the password and enables the account, or neither. A controller accepts the former password for an hour more, so
 * that it is set twice: then the former one is this one.
 */
export const secretWrites = (dn: string, { password, enabled, replaces }: SecretWrite): Write[] => {
  const setting: Change = { operation: 'replace', attribute: 'unicodePwd', values: [octetsOf(password)] }
  const enabling: Change = { operation: 'replace', attribute: 'userAccountControl', values: [enabled] }
  const last: Write = { kind: 'modify', dn, changes: [setting, enabling] }
  return replaces ? [{ kind: 'modify', dn, changes: [setting] }, last] : [last]
}

/** Whether the account was adopted, and works with a password that Steward does not know. */
export const isAdopted = (item: Item): boolean => item.passwordDigest === passwordFound

/** After a refusal the account must not keep its former password. */
export const disablingWrite = (dn: string, { disabled }: SecretWrite): Write => ({
  kind: 'modify',
  dn,
  changes: [{ operation: 'replace', attribute: 'userAccountControl', values: [disabled] }],
})

/** The outcome if everything was written but the password. */
export const withoutSecret = (done: Outcome, item: Item, secret: SecretWrite, error: DirectoryError): Outcome => ({
  ...done,
  passwordDigest: secret.refused,
  passwordId: item.secretId,
  error: joined([statements.password_refused({ problem: error.diagnosis }), item.note]),
})

/**
 * The last step for a person whose password is written in clear text. If the directory refuses the
 * password, the rest is in the directory all the same. @throws DirectoryError
 */
export const secretWritten = async (
  { write }: Pick<Directory, 'write'>,
  { item, obstacle }: Plan,
  done: Outcome,
): Promise<Outcome> => {
  const { secretWrite: secret } = item
  if (!secret || obstacle !== null || done.dn === null) return done
  try {
    for (const each of secretWrites(done.dn, secret)) await write(each)
    return { ...done, action: done.action === 'unchanged' ? 'updated' : done.action, entryCsn: null }
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
    const isRefused = error.code === resultCodes.constraintViolation
    // Whatever the reason. Where no password can be set at all, an account that was adopted goes on as before.
    const isOther = error.kind === 'refused' && !isAdopted(item)
    if (isRefused || isOther) await disable({ write }, done.dn, secret)
    if (!isRefused) throw error
    return withoutSecret(done, item, secret, error)
  }
}

/** @throws DirectoryError that says that the former password goes on working */
const disable = async ({ write }: Pick<Directory, 'write'>, dn: string, secret: SecretWrite): Promise<void> => {
  try {
    await write(disablingWrite(dn, secret))
  } catch (error) {
    if (!(error instanceof DirectoryError) || !error.answered || !secret.replaces) throw error
    const { kind, stated, code, diagnosis } = error
    const both = joined([stated, statements.password_not_taken_away()]) ?? stated
    throw new DirectoryError(kind, both, { code, diagnosis, cause: error })
  }
}
