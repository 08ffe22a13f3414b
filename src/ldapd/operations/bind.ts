import { createHash, timingSafeEqual } from 'node:crypto'
import type { Identity } from '../access.ts'
import type { BindAttempts } from '../bind-attempts.ts'
import { dnKeyOf } from '../locate.ts'
import type { VerifyPassword } from '../password.ts'
import type { BindRequest } from '../request.ts'
import { LdapError, resultCode } from '../result.ts'
import type { DirectoryTree } from '../tree.ts'
import { toOctets } from '../value.ts'

export interface BindDependencies {
  tree: DirectoryTree
  rootDn: string
  rootPassword: string
  verify: VerifyPassword
  attempts: BindAttempts
}

/** What a bind to a name that has no password is checked against, so that it takes as long as any other. */
const nobodysPassword = `{ARGON2}$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

const equalSecrets = (a: string, b: string): boolean =>
  timingSafeEqual(...([a, b].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]))

const isRight = async ({ tree, verify }: BindDependencies, key: string, password: string): Promise<boolean> => {
  const stored = [...(tree.get(key)?.attributes.get('userpassword')?.values.values() ?? [])]
  if (stored.length === 0) await verify(nobodysPassword, password)
  for (const value of stored) if (await verify(toOctets(value).toString('utf8'), password)) return true
  return false
}

/**
 * A simple bind (RFC 4513 section 5.1).
 * @returns whom the connection is bound as from now on
 * @throws LdapError; the connection is then anonymous. Wrong passwords answer later and later
 */
export const bind = async (dependencies: BindDependencies, request: BindRequest): Promise<Identity> => {
  const { version, dn, password } = request
  if (version !== 3) throw new LdapError(resultCode.protocolError, 'only LDAPv3 is supported')
  if (password === null) throw new LdapError(resultCode.authMethodNotSupported, 'only simple binds are supported')
  const key = dnKeyOf(dn)
  if (key === '') {
    if (password !== '') throw new LdapError(resultCode.invalidCredentials)
    return null
  }
  if (password === '') {
    throw new LdapError(resultCode.unwillingToPerform, 'unauthenticated bind (DN with no password) disallowed')
  }
  const root = key === dnKeyOf(dependencies.rootDn)
  const right = root ? equalSecrets(password, dependencies.rootPassword) : await isRight(dependencies, key, password)
  if (!right) {
    await dependencies.attempts.failed(key)
    throw new LdapError(resultCode.invalidCredentials)
  }
  dependencies.attempts.succeeded(key)
  return { dn: root ? dependencies.rootDn : (dependencies.tree.get(key)?.dn ?? dn), root }
}
