import type { Identity } from '../access.ts'
import type { Result } from '../reply.ts'
import type { ExtendedRequest } from '../request.ts'
import { LdapError, resultCode } from '../result.ts'

export const whoAmIOid = '1.3.6.1.4.1.4203.1.11.3'

/** Served by the connection itself (RFC 4511 section 4.14); where TLS is not configured it is unknown. */
export const startTlsOid = '1.3.6.1.4.1.1466.20037'

/** "Who am I?" (RFC 4532). */
export const extended = ({ oid }: ExtendedRequest, identity: Identity): Result => {
  if (oid !== whoAmIOid) throw new LdapError(resultCode.protocolError, 'unsupported extended operation')
  return { code: resultCode.success, value: identity ? `dn:${identity.dn}` : '' }
}
