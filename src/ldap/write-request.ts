import {
  AddRequest,
  Attribute,
  type Control,
  DeleteRequest,
  Change as LdapChange,
  ModifyDNRequest,
  ModifyRequest,
} from 'ldapts'
import type { Statement } from '../failures/statement.ts'
import type { RequestBuilder } from './connection.ts'
import type { Write } from './directory.ts'
import { DirectoryError } from './directory-error.ts'
import { DnSyntaxError, formatDn, formatRdn, normalizeDn, parentDn, parseDn, sameDn } from './dn.ts'
import { type Outcome, outcomeError, resultCodes } from './result-code.ts'
import { statements } from './statements.ts'

/** How an error names a write: by its entry, never by a value. */
export const describeWrite = ({ kind, dn }: Write): Statement => statements.write({ kind, dn })

/**
 * The error of a write that was refused. Where the server does not say why, as slapd does not where an access rule is about an
 * attribute, it names the attributes that were written; where it says the number of an object class, its name.
 */
export const writeError = (outcome: Outcome, write: Write, index?: number): DirectoryError => {
  const { kind, dn } = write
  const attributes = outcome.message.trim() === '' ? attributesOf(write).join(', ') : ''
  const what = attributes === '' ? describeWrite(write) : statements.write_attributes({ kind, dn, attributes })
  return outcomeError({ ...outcome, message: withClass(outcome.message, write) }, what, index)
}

const attributesOf = (write: Write): string[] => {
  if (write.kind === 'add') return Object.keys(write.attributes).filter((name) => write.attributes[name]?.length)
  return write.kind === 'modify' ? [...new Set(write.changes.map(({ attribute }) => attribute))] : []
}

/** slapd: `objectClass: value #3 invalid per syntax`, of a class that its schema does not have. */
const withClass = (message: string, write: Write): string => {
  const [, number] = /^objectClass: value #(\d+) invalid per syntax$/i.exec(message.trim()) ?? []
  if (number === undefined) return message
  const classes =
    write.kind === 'add'
      ? write.attributes.objectClass
      : write.kind === 'modify'
        ? write.changes.find(({ attribute }) => attribute === 'objectClass')?.values
        : []
  const name = classes?.[Number(number)]
  return name === undefined ? message : `${message} (${name}: the schema does not have it)`
}

/** The key of an entry's DN. @throws DirectoryError `refused` (invalidDNSyntax) for text that is not a DN */
export const entryKey = (dn: string): string => refusingBadDn(() => normalizeDn(dn))

/**
 * Prepares a write for sending: only its controls and a message id are missing.
 * @param toServer the spelling of new names that the server takes
 * @throws DirectoryError `refused` (invalidDNSyntax) for a new name that is not a DN
 */
export const prepareWrite = (
  write: Write,
  toServer: (dn: string) => string = (dn) => dn,
): ((controls?: Control[]) => RequestBuilder) => {
  const { dn } = write
  switch (write.kind) {
    case 'add': {
      const attributes = Object.entries(write.attributes)
        .filter(([, values]) => values.length > 0)
        .map(([type, values]) => new Attribute({ type, values }))
      return (controls = []) =>
        (messageId) =>
          new AddRequest({ messageId, dn, attributes, controls })
    }
    case 'modify': {
      const changes = write.changes.map(
        ({ operation, attribute, values }) =>
          new LdapChange({ operation, modification: new Attribute({ type: attribute, values }) }),
      )
      return (controls = []) =>
        (messageId) =>
          new ModifyRequest({ messageId, dn, changes, controls })
    }
    case 'rename': {
      const target = refusingBadDn(() => renameTarget(dn, write.newDn, toServer))
      // With several values, a class may require one of them, and the rename would be refused.
      const deleteOldRdn = refusingBadDn(() => (parseDn(dn)[0] ?? []).length === 1)
      return (controls = []) =>
        (messageId) =>
          new ModifyDNRequest({ messageId, dn, ...target, deleteOldRdn, controls })
    }
    case 'delete':
      return (controls = []) =>
        (messageId) =>
          new DeleteRequest({ messageId, dn, controls })
  }
}

/** RFC 4511 section 4.9; a new superior is named only where it changes, since servers may refuse any. */
const renameTarget = (
  dn: string,
  newDn: string,
  toServer: (dn: string) => string,
): { newRdn: string; newSuperior?: string } => {
  const [first, ...parent] = parseDn(newDn)
  const newParent = formatDn(parent)
  return {
    newRdn: toServer(formatRdn(first ?? [])),
    ...(!sameDn(newParent, parentDn(dn)) && { newSuperior: toServer(newParent) }),
  }
}

const refusingBadDn = <T>(task: () => T): T => {
  try {
    return task()
  } catch (error) {
    if (!(error instanceof DnSyntaxError)) throw error
    throw new DirectoryError('refused', statements.not_a_dn({ problem: error.message }), {
      code: resultCodes.invalidDNSyntax,
      cause: error,
    })
  }
}
