import { resultCodes } from '../../ldap/result-code.ts'
import { BerReader } from '../protocol/ber.ts'
import { isUnknown, unknownControl } from '../protocol/control.ts'
import type { OperationEnvelope } from '../protocol/message.ts'
import type { Result } from '../protocol/reply.ts'

/** Served by the connection itself (RFC 4511 section 4.14); where TLS is not configured it is unknown. */
export const startTlsOid = '1.3.6.1.4.1.1466.20037'

const requestNameTag = 0x80

/** @throws BerError for a name that is cut short */
export const isStartTls = ({ name, content }: OperationEnvelope): boolean => {
  if (name !== 'extended') return false
  const reader = new BerReader(content)
  // Any other content is refused when its turn comes.
  return reader.next === requestNameTag && reader.octets(requestNameTag).toString('latin1') === startTlsOid
}

export interface TransportState {
  encrypted: boolean
  /** Whether TLS is configured. */
  offersTls: boolean
}

/** The answer to StartTLS. After `success` the connection goes on under TLS. */
export const startTls = (
  { controls }: Pick<OperationEnvelope, 'controls'>,
  { encrypted, offersTls }: TransportState,
): Result => {
  const answer = (code: Result['code'], message?: string): Result => ({
    ...{ code, name: startTlsOid },
    ...(message !== undefined && { message }),
  })
  if (encrypted) return answer(resultCodes.operationsError, 'TLS already started')
  if (!offersTls) return answer(resultCodes.protocolError, 'unsupported extended operation')
  if (controls.some(isUnknown)) return answer(resultCodes.unavailableCriticalExtension, unknownControl)
  return answer(resultCodes.success)
}
