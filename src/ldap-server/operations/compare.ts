import { resultCodes } from '../../ldap/result-code.ts'
import { assertionKey, storedValueKey } from '../entries/value-key.ts'
import { checkMayRead, type Identity, nameOf, serverEntryOf } from '../identity.ts'
import type { Result } from '../protocol/reply.ts'
import type { CompareRequest } from '../protocol/request.ts'
import { LdapError } from '../result.ts'
import { meteredWork } from '../scheduling/work.ts'
import { describeAny } from '../schema/attribute-types.ts'
import type { SearchDependencies } from './search.ts'

/** Characters of an asserted value. Comparing text that is not ASCII takes some 2 ms per 4,096 characters. */
const longestAssertion = 65_536

/**
 * Whether an entry has a value (RFC 4511 section 4.10), also the root DSE or the schema.
 * @throws LdapError noSuchObject, noSuchAttribute, insufficientAccessRights for a password, or adminLimitExceeded
 */
export const compare = async (
  dependencies: SearchDependencies,
  { dn, attribute, value }: CompareRequest,
  identity: Identity,
  signal: AbortSignal,
): Promise<Result> => {
  const { views, rights, turns, limits } = dependencies
  // What a search reads of the root DSE and of the schema without a bind may be compared without one.
  const own = serverEntryOf(dn)
  if (own === null) checkMayRead(identity)
  if (value.length > longestAssertion) {
    throw new LdapError(resultCodes.adminLimitExceeded, `an asserted value may have ${longestAssertion} characters`)
  }
  const description = describeAny(attribute)
  const work = meteredWork({ turns, who: nameOf(identity), max: limits.searchWork, signal })
  await rights.prepare(identity)
  const mayRead = rights.mayRead(identity)
  const view = own ? dependencies[own] : views(await rights.find(identity, dn, work), mayRead)
  if (!mayRead(description)) throw new LdapError(resultCodes.insufficientAccessRights)
  const { type } = description
  const attributes = [...view.find(description)]
  if (!type.known && attributes.length === 0) throw new LdapError(resultCodes.undefinedAttributeType)
  if (type.equality === null) throw new LdapError(resultCodes.inappropriateMatching, 'inappropriate matching request')
  const key = type.known ? assertionKey(type, value) : storedValueKey(type, value)
  if (key === null) {
    throw new LdapError(resultCodes.invalidAttributeSyntax, 'value does not conform to assertion syntax')
  }
  if (attributes.length === 0) throw new LdapError(resultCodes.noSuchAttribute)
  const found = attributes.some(({ values }) => values.has(key))
  return { code: found ? resultCodes.compareTrue : resultCodes.compareFalse }
}
