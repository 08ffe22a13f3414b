import {
  AddRequest,
  Attribute,
  type Control,
  DeleteRequest,
  Change as LdapChange,
  ModifyDNRequest,
  ModifyRequest,
} from 'ldapts'
import type { RequestBuilder } from './connection.ts'
import type { Write } from './directory.ts'
import { DirectoryError } from './directory-error.ts'
import { DnSyntaxError, formatDn, formatRdn, normalizeDn, parseDn } from './dn.ts'
import { resultCodes } from './result-code.ts'

/** What a write is to be called in an error: it names the entry, never a value. */
export const describeWrite = (write: Write): string => `${write.kind} ${write.dn}`

/**
 * Prepares a write for sending: the result makes the request once its message id is known.
 * @throws DirectoryError `refused` (invalidDNSyntax) for a DN that is none
 */
export const writeRequest = (write: Write, controls: Control[] = []): RequestBuilder => {
  const { dn } = write
  switch (write.kind) {
    case 'add': {
      const attributes = Object.entries(write.attributes)
        .filter(([, values]) => values.length > 0)
        .map(([type, values]) => new Attribute({ type, values }))
      return (messageId) => new AddRequest({ messageId, dn, attributes, controls })
    }
    case 'modify': {
      const changes = write.changes.map(
        ({ operation, attribute, values }) =>
          new LdapChange({ operation, modification: new Attribute({ type: attribute, values }) }),
      )
      return (messageId) => new ModifyRequest({ messageId, dn, changes, controls })
    }
    case 'rename': {
      const target = renameTarget(dn, write.newDn)
      return (messageId) => new ModifyDNRequest({ messageId, dn, ...target, deleteOldRdn: true, controls })
    }
    case 'delete':
      return (messageId) => new DeleteRequest({ messageId, dn, controls })
  }
}

/** RFC 4511 section 4.9; a new superior is named only where there is one, since servers may refuse any. */
const renameTarget = (dn: string, newDn: string): { newRdn: string; newSuperior?: string } => {
  try {
    const [first, ...parent] = parseDn(newDn)
    const oldParent = formatDn(parseDn(dn).slice(1))
    const newParent = formatDn(parent)
    return {
      newRdn: formatRdn(first ?? []),
      ...(normalizeDn(newParent) !== normalizeDn(oldParent) && { newSuperior: newParent }),
    }
  } catch (error) {
    if (!(error instanceof DnSyntaxError)) throw error
    throw new DirectoryError('refused', error.message, { code: resultCodes.invalidDNSyntax, cause: error })
  }
}
