import { createHash, timingSafeEqual } from 'node:crypto'
import { parseDn } from '../../ldap/dn.ts'
import { resultCodes } from '../../ldap/result-code.ts'
import type { BindThrottle } from '../authentication/bind-throttle.ts'
import { costOf, passwordsOf, type VerifyPassword } from '../authentication/password.ts'
import type { PersonBound } from '../authentication/person-bound.ts'
import { dnKeyOf } from '../entries/locate.ts'
import type { DirectoryTree } from '../entries/tree.ts'
import type { Identity } from '../identity.ts'
import type { BindRequest } from '../protocol/request.ts'
import { LdapError } from '../result.ts'
import type { Rights } from '../rights.ts'
import type { FairQueue } from '../scheduling/fair-queue.ts'
import type { Origin } from '../session.ts'

export interface BindDependencies {
  tree: DirectoryTree
  rootDn: string
  rootPassword: string
  verify: VerifyPassword
  /** The hash that is checked for a name without a password, so that every bind takes equally long. */
  decoyPassword: string
  passwordChecks: FairQueue
  throttleBind: BindThrottle
  rights: Rights
  /** Called when a service account has bound, with the value of its password that matched. */
  serviceBound: (dn: string, stored: string) => void
  /** Called when another entry has bound over the network; null: no passwords are passed on. */
  personBound: PersonBound | null
}

const equalSecrets = (a: string, b: string): boolean =>
  timingSafeEqual(...([a, b].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]))

/** The stored password that matches the given one; null where there is no match. */
const matchingPassword = (
  { tree, verify, decoyPassword, passwordChecks }: BindDependencies,
  key: string,
  password: string,
): Promise<string | null> => {
  const stored = passwordsOf(tree.get(key))
  // A hash that is quicker to check than the usual one would reveal that the entry exists.
  const usual = stored.some((value) => costOf(value) === costOf(decoyPassword))
  return passwordChecks(key, async () => {
    for (const value of stored) if (await verify(value, password)) return value
    if (!usual) await verify(decoyPassword, password)
    return null
  })
}

/** The user name that a DN begins with. */
export const accountOf = (dn: string): string | null =>
  parseDn(dn)[0]?.find(({ type }) => ['uid', 'userid', '0.9.2342.19200300.100.1.1'].includes(type.toLowerCase()))
    ?.value ?? null

/**
 * A simple bind (RFC 4513 section 5.1).
 * @param admit called with the new identity of the connection, as soon as the password is verified
 * @throws LdapError; the connection is then anonymous
 */
export const bind = async (
  dependencies: BindDependencies,
  request: BindRequest,
  { address, trusted, confidential }: Origin,
  admit: (identity: Identity) => void,
): Promise<void> => {
  const { tree, rootDn, rootPassword, throttleBind, rights, serviceBound, personBound } = dependencies
  const { version, dn, password } = request
  if (version !== 3) throw new LdapError(resultCodes.protocolError, 'only LDAPv3 is supported')
  if (password === null) throw new LdapError(resultCodes.authMethodNotSupported, 'only simple binds are supported')
  const key = dnKeyOf(dn)
  if (key === '') {
    if (password !== '') throw new LdapError(resultCodes.invalidCredentials)
    return admit(null)
  }
  // Before the password is looked at: whether it is right must not be answered to a listener on the network.
  if (!confidential) {
    throw new LdapError(resultCodes.confidentialityRequired, 'a password needs TLS here: use StartTLS or ldaps://')
  }
  if (password === '') {
    throw new LdapError(resultCodes.unwillingToPerform, 'unauthenticated bind (DN with no password) disallowed')
  }
  const root = key === dnKeyOf(rootDn)
  // The root DN cannot be locked out: its password is generated, too long to guess, and quick to compare.
  if (root && equalSecrets(password, rootPassword)) return admit({ dn: rootDn, root: true })
  let stored: string | null = null
  const check = async (): Promise<boolean> => {
    stored = root ? null : await matchingPassword(dependencies, key, password)
    return stored !== null
  }
  const entryDn = tree.get(key)?.dn ?? ''
  const isService = rights.isServiceAccount(key)
  const right = trusted
    ? await check()
    : await throttleBind({ dnKey: key, account: accountOf(entryDn || dn), entryDn, isService, address }, check)
  const entry = tree.get(key)
  // The password may have been changed or removed during the check.
  if (!right || !entry || stored === null || !passwordsOf(entry).includes(stored)) {
    throw new LdapError(resultCodes.invalidCredentials)
  }
  admit({ dn: entry.dn, root: false, id: entry.id, stored })
  if (isService) return serviceBound(entry.dn, stored)
  const account = accountOf(entry.dn)
  if (account !== null && !trusted) personBound?.({ account, stored, password })
}
