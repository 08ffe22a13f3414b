import type { AttributeShape, EntryShape } from '../../ldap/entry-decoder.ts'
import { SourceError } from '../source.ts'
import { statements } from '../statements.ts'
import { entryKey } from './entry-key.ts'
import type { Preset } from './presets.ts'

/** An entry of the tree that is read. */
export interface Located {
  dn: string
  /** The key of the DN; '' where the DN cannot be parsed. */
  key: string
  /** The id, which stays the same when the entry is renamed or moved. */
  id: string
}

/** Reads only the location and the id of an entry. */
export const locatedShape = ({ identity }: Preset): EntryShape<Located> => {
  const shape = identityShape(identity)
  return {
    begin: (dn) => ({ dn, key: entryKey(dn), id: '' }),
    attribute: (description) => (isNamed(description, identity) ? shape : null),
  }
}

export const identityShape = (identity: Preset['identity']): AttributeShape<Located> => {
  const isGuid = identity === 'objectGUID'
  return {
    form: isGuid ? 'hex' : 'text',
    add(entry, [value = '']) {
      entry.id = isGuid ? guidText(value) : value.toLowerCase()
    },
  }
}

/**
 * The text of a GUID of 16 octets: the first three groups have their octets in reverse order ([MS-DTYP] section 2.3.4),
 * so that it is equal to what Active Directory's own tools show. '' for other values.
 */
export const guidText = (hex: string): string => {
  const digits = /^(..)(..)(..)(..)(..)(..)(..)(..)(.{4})(.{12})$/.exec(hex)
  if (digits === null) return ''
  const [, a, b, c, d, e, f, g, h, clock, node] = digits
  return `${d}${c}${b}${a}-${f}${e}-${h}${g}-${clock}-${node}`
}

export const isNamed = (description: string, name: string): boolean =>
  description === name || description.toLowerCase() === name.toLowerCase()

/** The error of an entry without an id: people could not be told apart then. */
export const unidentified = ({ dn }: Located, { identity }: Preset): SourceError =>
  new SourceError(statements.identity_missing({ dn, identity }), {
    advised: identity === 'objectGUID' ? statements.grant_guid() : statements.grant_uuid(),
  })
