import type { Statement } from '../../failures/statement.ts'
import type { OtherHashes } from '../passwords/other-hashes.ts'
import type { PasswordTerms } from '../passwords/password-merge.ts'
import { schemeAdvice, schemeSetting } from '../passwords/password-scheme.ts'
import { schemeOf } from '../passwords/password-values.ts'
import { statements } from '../statements.ts'
import type { ServicePassword } from './service-ledger.ts'

export interface ServicePasswordsOptions {
  /** The number of the directory. */
  number: number
  /** What is known of the passwords of these schemes. */
  passwordTerms: (schemes: ReadonlySet<string>) => Promise<Pick<PasswordTerms, 'of'>>
  openHash: OtherHashes['open']
  /** The scheme that the directory has of its own, as it stands in a value; null: none. */
  ownScheme: string | null
}

/** The passwords that the directory verifies, as its entry shows them, and why others are left out. */
export const usablePasswords = async (
  options: ServicePasswordsOptions,
  all: readonly ServicePassword[],
): Promise<{ values: string[]; problem: Statement | null }> => {
  const passwords = all.map((password) => shownOf(options, password))
  const schemes = new Set(passwords.flatMap((value) => schemeOf(value) ?? []))
  const terms = await options.passwordTerms(schemes)
  const refused = [...schemes].filter((scheme) => terms.of(scheme).verdict === 'disproved')
  const [first] = refused
  return {
    values: passwords.filter((value) => !refused.includes(schemeOf(value) ?? '')),
    problem: first === undefined ? null : refusalOf(options, first, terms),
  }
}

/**
 * In the scheme that the directory has of its own, where there is a hash in it: no account signs in here, so that one
 * which had its password before the setting keeps it, if the directory verifies it.
 */
const shownOf = ({ openHash }: ServicePasswordsOptions, { value, ownHash }: ServicePassword): string =>
  (ownHash && openHash(ownHash.scheme, ownHash.sealed, value)) ?? value

const refusalOf = (
  { number, ownScheme }: ServicePasswordsOptions,
  scheme: string,
  terms: Pick<PasswordTerms, 'of'>,
): Statement =>
  ownScheme === null || scheme === ownScheme
    ? (terms.of(scheme).reason ?? schemeAdvice(scheme, schemeSetting(number)))
    : statements.service_password_unhashed({ scheme: `{${ownScheme}}` })
