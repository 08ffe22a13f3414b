import { resultCodes } from '../../ldap/result-code.ts'
import { LdapError, type ResultCode } from '../result.ts'
import { BerReader, enumerated, octetString, sequence } from './ber.ts'

/** Of the request, and of the answer to it (RFC 2891). */
export const sortOid = '1.2.840.113556.1.4.473'
const sortResultOid = '1.2.840.113556.1.4.474'

/** A request to sort the entries of a search (RFC 2891). */
export interface Sorting {
  keys: readonly { attribute: string; rule: string | null; reverse: boolean }[]
  critical: boolean
}

const maxKeys = 5
const ruleTag = 0x80
const reverseTag = 0x81
const attributeTag = 0x80

/** @throws BerError, or LdapError for more keys than a request may have */
export const readSorting = (value: Buffer | null, critical: boolean): Sorting => {
  if (value === null) throw new LdapError(resultCodes.protocolError, 'sort control value is absent')
  const list = new BerReader(value).sequence()
  const keys: Sorting['keys'][number][] = []
  while (!list.done) {
    if (keys.length === maxKeys) throw new LdapError(resultCodes.unwillingToPerform, `a sort may have ${maxKeys} keys`)
    const key = list.sequence()
    keys.push({
      attribute: key.text(),
      rule: key.next === ruleTag ? key.text(ruleTag) : null,
      reverse: key.next === reverseTag && key.boolean(reverseTag),
    })
  }
  if (keys.length === 0) throw new LdapError(resultCodes.protocolError, 'sort control without a key')
  return { keys, critical }
}

export const sortResultControl = (code: ResultCode, attribute: string | null = null): Buffer =>
  sequence(
    octetString(sortResultOid),
    octetString(sequence(enumerated(code), ...(attribute === null ? [] : [octetString(attribute, attributeTag)]))),
  )
