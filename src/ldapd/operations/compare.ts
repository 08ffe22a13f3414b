import { checkMayRead, type Identity, mayRead } from '../access.ts'
import { describe } from '../attribute-type.ts'
import { findEntry } from '../locate.ts'
import type { Result } from '../reply.ts'
import type { CompareRequest } from '../request.ts'
import { LdapError, resultCode } from '../result.ts'
import { valueKey } from '../value.ts'
import type { SearchDependencies } from './search.ts'

/**
 * Whether an entry has a value (RFC 4511 section 4.10).
 * @throws LdapError noSuchObject, noSuchAttribute, or insufficientAccessRights for a password
 */
export const compare = (
  { tree, views }: SearchDependencies,
  { dn, attribute, value }: CompareRequest,
  identity: Identity,
): Result => {
  checkMayRead(identity)
  const description = describe(attribute)
  const view = views(findEntry(tree, dn))
  if (!mayRead(identity)(description)) throw new LdapError(resultCode.insufficientAccessRights)
  const key = valueKey(description.type.syntax, value)
  if (key === null) throw new LdapError(resultCode.invalidAttributeSyntax)
  const attributes = [...view.find(description)]
  if (attributes.length === 0) throw new LdapError(resultCode.noSuchAttribute)
  const found = attributes.some(({ values }) => values.has(key))
  return { code: found ? resultCode.compareTrue : resultCode.compareFalse }
}
