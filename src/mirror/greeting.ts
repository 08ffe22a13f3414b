import type { Directory } from '../ldap/directory.ts'
import { DirectoryError } from '../ldap/directory-error.ts'
import { isServerRefusal, resultCodes } from '../ldap/result-code.ts'
import { statements as ldap } from '../ldap/statements.ts'
import type { Logger } from '../runtime/log.ts'
import { misfitOf } from './entry/active-directory-fit.ts'
import { type DirectorySchema, readSchema } from './entry/directory-schema.ts'
import { ensureLayout } from './entry/layout.ts'
import { memberOfIn, memberOfLacking } from './entry/member-of.ts'
import { refusalOfWrites } from './entry/probe-entry.ts'
import type { Ledger } from './ledger/ledger.ts'
import { type PasswordTerms, passwordDigest, type SchemeProof } from './passwords/password-merge.ts'
import type { SchemeProofs } from './passwords/password-scheme.ts'
import type { ReconcilerPasswords } from './reconciler.ts'
import { statements } from './statements.ts'

/** What is done first on each connection, and its results. */
export interface Greeting {
  /** Greets the directory, which may have been changed or replaced since the last connection. @throws DirectoryError */
  greet(): Promise<void>
  /** Tests whether the directory accepts writes. @throws DirectoryError with the reason if it does not */
  doubt(reason: string): Promise<void>
  /** What is known about passwords on this connection, after these schemes were tested. */
  passwordTerms(schemes: ReadonlySet<string>): Promise<PasswordTerms>
  /**
   * Tests again what the directory did not let be tested, once a minute at most, and makes the records due that waited for it.
   * @returns whether it is known now @throws DirectoryError
   */
  askAgain(): Promise<boolean>
  /** What is known about passwords on this connection, without another test: a test writes an entry. */
  knownPasswordTerms(): PasswordTerms
  /** The schema that the server publishes, read once per connection; null: it publishes none. @throws DirectoryError */
  schema(): Promise<DirectorySchema | null>
  /** Whether the directory verifies passwords of this scheme; null: not known. */
  verifies(scheme: string): boolean | null
}

export interface GreetingOptions {
  directory: Directory
  ledger: Pick<
    Ledger,
    'passwordSchemes' | 'reconsiderPasswords' | 'makeAllDue' | 'concernsMemberOf' | 'settleMemberOf' | 'groupLayout'
  >
  /** Runs after the layout was created. The function that it returns tests password schemes on this connection. */
  openProofs: () => Promise<SchemeProofs>
  passwords: Pick<ReconcilerPasswords, 'key' | 'scheme' | 'adopts' | 'fresh'>
  /** Tries a few records. @returns why the server refused all of them, or null */
  trial: () => Promise<string | null>
  log: Logger
}

export const openGreeting = (options: GreetingOptions): Greeting => {
  const { directory, ledger, openProofs, passwords, trial, log } = options
  const digest = passwordDigest(passwords.key)
  let proofs: SchemeProofs | null = null
  /** Those with an answer that the ledger has not got yet: the database may fail in between, and no scheme is tested twice. */
  let unsettled: SchemeProofs | null = null
  let schema: Promise<DirectorySchema | null> | null = null

  /**
   * One attempt is enough for all waiting records. A server may refuse only the probe, so if records wait, a few of
   * them decide.
   * @throws DirectoryError `unavailable`: the waiting records would be refused and must not be tried
   */
  const requireWrites = async (): Promise<void> => {
    const refusal = await refusalOfWrites(directory)
    if (refusal === null) return
    if (directory.leaveServer(refusal.message)) throw refusesWrites(refusal.message)
    const reason = await trial()
    if (reason !== null) throw refusesWrites(reason)
  }

  const termsOf = (known: SchemeProofs | null): PasswordTerms => {
    const of = (scheme: string): SchemeProof => known?.of(scheme) ?? untried
    const { shown, verdict } = of(passwords.scheme)
    return { of, shown, digest, adopts: passwords.adopts, adoptsClear: verdict === 'proved' }
  }

  const report = (known: SchemeProofs): void => {
    const { verdict, reason } = known.of(passwords.scheme) ?? untried
    if (verdict !== 'proved') log.error(`people cannot sign in to the directory: ${reason?.text ?? ''}`)
  }

  const reconsider = (known: SchemeProofs): Promise<void> =>
    ledger.reconsiderPasswords(known.with('proved'), known.with('disproved'))

  const readOnce = (): Promise<DirectorySchema | null> => {
    schema ??= readSchema(directory).catch((error: unknown) => {
      schema = null
      throw error
    })
    return schema
  }

  const settleMemberOf = async (): Promise<void> => {
    if (!(await ledger.concernsMemberOf())) return
    const place = memberOfIn(await readOnce())
    if ((await ledger.settleMemberOf(place)) && place === 'lacking') log.error(`LDAP_MEMBER_OF: ${memberOfLacking}`)
  }

  return {
    async greet() {
      schema = null
      await directory.features()
      const misfit = await misfitOf(directory)
      if (misfit !== null) throw refusesWrites(misfit)
      await ensureLayout(directory, await ledger.groupLayout()).catch((error: unknown) => {
        if (error instanceof DirectoryError && isServerRefusal(error)) directory.leaveServer(error.message)
        throw error
      })
      await requireWrites()
      if (directory.isActiveDirectory) return ledger.makeAllDue()
      proofs = await openProofs()
      await proofs.prove(new Set([passwords.scheme, ...(await ledger.passwordSchemes())]))
      report(proofs)
      await settleMemberOf()
      await reconsider(proofs)
      await ledger.makeAllDue()
    },

    async doubt(reason) {
      if ((await refusalOfWrites(directory)) !== null) throw refusesWrites(reason)
    },

    async passwordTerms(schemes) {
      const known = proofs
      await known?.prove(schemes)
      const { fresh } = passwords
      return { ...termsOf(known), ...(fresh && { fresh: fresh.of }) }
    },

    async askAgain() {
      const asked = proofs
      if (asked !== null && (await asked.proveAgain())) {
        report(asked)
        unsettled = asked
      }
      if (asked === null || unsettled !== asked) return false
      await reconsider(asked)
      unsettled = null
      return true
    },

    knownPasswordTerms: () => termsOf(proofs),

    schema: readOnce,

    verifies(scheme) {
      const verdict = proofs?.of(scheme)?.verdict
      return verdict === undefined || verdict === 'unknown' ? null : verdict === 'proved'
    },
  }
}

const untried: SchemeProof = { verdict: 'unknown', shown: false, reason: statements.not_asked_yet() }

const refusesWrites = (diagnosis: string): DirectoryError =>
  new DirectoryError('unavailable', ldap.no_changes({ problem: diagnosis }), {
    code: resultCodes.unwillingToPerform,
    answered: false,
  })
