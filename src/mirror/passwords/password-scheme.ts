import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import type { Statement } from '../../failures/statement.ts'
import { openConnection } from '../../ldap/connection-open.ts'
import { type DirectoryOptions, openDirectory } from '../../ldap/directory.ts'
import { DirectoryError } from '../../ldap/directory-error.ts'
import { resultCodes } from '../../ldap/result-code.ts'
import { steadyTime } from '../../runtime/clock.ts'
import { noLog } from '../../runtime/log.ts'
import type { PasswordScheme } from '../entry/directory-settings.ts'
import { probeEntry, removeProbe, sweepProbes } from '../entry/probe-entry.ts'
import { statements } from '../statements.ts'
import { mainDirectory } from '../touch.ts'
import type { SchemeProof } from './password-merge.ts'
import { hashAs } from './password-values.ts'

/** LDAP_PASSWORD_SCHEME as it is written in a value. */
export const schemeNames: Readonly<Record<PasswordScheme, string>> = {
  argon2: 'ARGON2',
  'pbkdf2-sha512': 'PBKDF2-SHA512',
  ssha512: 'SSHA512',
}

/**
 * The value of `userPassword`: a hash that the directory itself verifies at a bind.
 * @param argon2Hash the PHC text of the same password, which `argon2` passes on unchanged
 */
export const directoryPassword = async (
  scheme: PasswordScheme,
  password: string,
  argon2Hash: string,
): Promise<string> => {
  const value = await hashAs(schemeNames[scheme], password, async () => argon2Hash)
  if (value === null) throw new Error(`nothing makes a value of ${scheme}`)
  return value
}

/** The module of OpenLDAP that verifies a scheme, and the scheme to use without it. */
const modules: Readonly<Record<string, { module: string; other: string }>> = {
  ARGON2: { module: 'argon2', other: 'ssha512' },
  'PBKDF2-SHA512': { module: 'pw-pbkdf2', other: 'argon2' },
}

/** The setting of a directory, by its number. */
export const schemeSetting = (directory: number): string =>
  directory === mainDirectory ? 'LDAP_PASSWORD_SCHEME' : `LDAP_${directory}_PASSWORD_SCHEME`

export const schemeAdvice = (scheme: string, setting: string): Statement =>
  statements.scheme_unverified({
    scheme: `{${scheme}}`,
    setting,
    ...(modules[scheme] ?? { module: 'pw-sha2', other: 'argon2' }),
  })

/**
 * Tests whether people could sign in with values of a scheme: it adds a temporary entry with a password hash, binds
 * with the right password, a wrong one, and the text of the hash, and deletes the entry. A server without the scheme's
 * module answers every bind with "invalid credentials", or treats the text of the hash as the password (389 Directory
 * Server), and only this test reveals it. Needs the layout.
 * @param setting names the scheme of the directory, for the reason
 * @throws DirectoryError `unavailable` when the directory cannot be reached
 */
export const probePasswordScheme = async (
  options: Omit<DirectoryOptions, 'log'>,
  scheme: string,
  setting: string,
): Promise<SchemeProof> => {
  const password = randomBytes(18).toString('base64')
  const value = await hashAs(scheme, password, hash)
  if (value === null)
    return { verdict: 'unknown', shown: false, reason: statements.scheme_unknown({ scheme: `{${scheme}}` }) }
  const directory = openDirectory({ ...options, log: noLog })
  const { dn, attributes } = probeEntry(options.baseDn)

  const accepts = async (bindPassword: string): Promise<boolean> => {
    try {
      const connection = await openConnection({ ...options, bindDn: dn, bindPassword })
      connection.close()
      return true
    } catch (error) {
      if (error instanceof DirectoryError && error.code === resultCodes.invalidCredentials) return false
      throw error
    }
  }
  const tried = async (): Promise<SchemeProof> => {
    const shown = (await directory.read(dn, ['userPassword']))?.attributes.userPassword?.[0] === value
    if (!(await accepts(password))) return { verdict: 'disproved', shown, reason: schemeAdvice(scheme, setting) }
    if ((await accepts(`${password}.`)) || (await accepts(value))) {
      const reason = statements.accepts_wrong_password()
      return { verdict: 'disproved', shown, reason }
    }
    return { verdict: 'proved', shown, reason: null }
  }

  try {
    await sweepProbes(directory)
    await directory.write({ kind: 'add', dn, attributes: { ...attributes, userPassword: [value] } })
    try {
      return await tried()
    } finally {
      await removeProbe(directory, dn)
    }
  } catch (error) {
    if (!(error instanceof DirectoryError) || (error.kind === 'unavailable' && !isRefusedBind(error))) throw error
    const reason = statements.check_refused({ problem: error.stated })
    return { verdict: 'unknown', shown: false, reason }
  } finally {
    await directory.close()
  }
}

/** The server answered the bind with something other than a wrong password: for example a policy of its own. */
const isRefusedBind = ({ code }: DirectoryError): boolean =>
  code === resultCodes.inappropriateAuthentication ||
  code === resultCodes.insufficientAccessRights ||
  code === resultCodes.unwillingToPerform ||
  code === resultCodes.constraintViolation

/** The results of the connected server for the schemes that were tested. */
export interface SchemeProofs {
  /** Tests those that were not tested yet. @throws DirectoryError `unavailable` */
  prove(schemes: Iterable<string>): Promise<void>
  /**
   * Tests those again that could not be tested, each once a minute at most: an administrator may have changed what the
   * server refused. @returns whether it is known of one more @throws DirectoryError if the server has not answered
   */
  proveAgain(): Promise<boolean>
  of(scheme: string): SchemeProof | null
  /** Those with this verdict. */
  with(verdict: SchemeProof['verdict']): string[]
}

/** Milliseconds until a test that was refused is made again: it writes an entry. */
const pause = 60_000

/**
 * For one connection: after a reconnect another server may answer. It has one server only.
 * @param directory its number
 */
export const openSchemeProofs = (
  options: Omit<DirectoryOptions, 'log'>,
  directory: number,
  now: () => number = steadyTime,
): SchemeProofs => {
  const asked = new Map<string, Promise<SchemeProof>>()
  const known = new Map<string, SchemeProof & { at: number }>()
  const prove = async (scheme: string): Promise<void> => {
    const proof = asked.get(scheme) ?? probePasswordScheme(options, scheme, schemeSetting(directory))
    asked.set(scheme, proof)
    try {
      known.set(scheme, { ...(await proof), at: now() })
    } finally {
      asked.delete(scheme)
    }
  }
  /** A server that answers that it is busy is still connected. */
  const stillUnknown = (scheme: string, error: unknown): void => {
    const before = known.get(scheme)
    if (before === undefined || !(error instanceof DirectoryError) || !error.answered) throw error
    known.set(scheme, { ...before, at: now() })
  }
  const withVerdict = (verdict: SchemeProof['verdict']): string[] =>
    [...known].filter(([, proof]) => proof.verdict === verdict).map(([scheme]) => scheme)
  return {
    async prove(schemes) {
      for (const scheme of schemes) if (!known.has(scheme)) await prove(scheme)
    },
    async proveAgain() {
      const due = withVerdict('unknown').filter((scheme) => now() - (known.get(scheme)?.at ?? 0) >= pause)
      for (const scheme of due) await prove(scheme).catch((error: unknown) => stillUnknown(scheme, error))
      return due.some((scheme) => known.get(scheme)?.verdict !== 'unknown')
    },
    of: (scheme) => known.get(scheme) ?? null,
    with: withVerdict,
  }
}
