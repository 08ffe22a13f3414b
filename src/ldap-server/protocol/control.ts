import { resultCodes } from '../../ldap/result-code.ts'
import { LdapError } from '../result.ts'
import { BerReader, integer, octetString, sequence } from './ber.ts'
import type { Control, Request } from './request.ts'
import { readSorting, type Sorting, sortOid } from './sort-control.ts'

export const controlOid = {
  pagedResults: '1.2.840.113556.1.4.319',
  sort: sortOid,
  /** Treat referrals as entries: this server has no referrals, so the control has no effect. */
  manageDsaIt: '2.16.840.1.113730.3.4.2',
  postRead: '1.3.6.1.1.13.2',
} as const

/** A request for one page of a search (RFC 2696). */
export interface Paging {
  size: number
  cookie: string
}

const readPaging = ({ value }: Control): Paging => {
  if (value === null) throw new LdapError(resultCodes.protocolError, 'paged results control value is absent')
  const content = new BerReader(value).sequence()
  const size = content.integer()
  if (size < 0) throw new LdapError(resultCodes.protocolError, 'paged results control size is negative')
  return { size, cookie: content.octets().toString('latin1') }
}

export const pagedResultsControl = (cookie: string): Buffer =>
  // 0: the number of all entries is not known.
  sequence(octetString(controlOid.pagedResults), octetString(sequence(integer(0), octetString(cookie))))

/** The attributes that a request wants of the entry as it is after the write (RFC 4527). */
const readAttributes = ({ value }: Control): string[] => {
  if (value === null) throw new LdapError(resultCodes.protocolError, 'post-read control value is absent')
  const names: string[] = []
  for (const list = new BerReader(value).sequence(); !list.done; ) names.push(list.text())
  return names
}

/** @param entry a search result entry without the message around it */
export const postReadControl = (entry: Buffer): Buffer => sequence(octetString(controlOid.postRead), octetString(entry))

/** Whether a control must be refused where it is not known for the operation. */
export const isUnknown = ({ oid, critical }: Control): boolean => critical && oid !== controlOid.manageDsaIt

export const unknownControl = 'critical extension is not recognized'

/**
 * What the controls of a request ask for.
 * @returns `postRead`: the attributes of the entry that the answer to a write shows; null: it shows no entry
 * @throws LdapError unavailableCriticalExtension for a critical one that is unknown, or not for this operation
 */
export const readRequestControls = (
  controls: readonly Control[],
  request: Request,
): { paging: Paging | null; sorting: Sorting | null; postRead: string[] | null } => {
  const { kind } = request
  let paging: Paging | null = null
  let sorting: Sorting | null = null
  let postRead: string[] | null = null
  for (const control of controls) {
    if (control.oid === controlOid.pagedResults && kind === 'search') {
      if (paging) throw new LdapError(resultCodes.protocolError, 'paged results control specified multiple times')
      paging = readPaging(control)
    } else if (control.oid === controlOid.sort && kind === 'search') {
      if (sorting) throw new LdapError(resultCodes.protocolError, 'sort control specified multiple times')
      sorting = readSorting(control.value, control.critical)
    } else if (control.oid === controlOid.postRead && kind === 'write' && request.change.kind !== 'delete') {
      if (postRead) throw new LdapError(resultCodes.protocolError, 'post-read control specified multiple times')
      postRead = readAttributes(control)
    } else if (isUnknown(control)) {
      throw new LdapError(resultCodes.unavailableCriticalExtension, unknownControl)
    }
  }
  return { paging, sorting, postRead }
}
