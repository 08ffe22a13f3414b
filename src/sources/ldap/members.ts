import type { AttributeShape, EntryShape } from '../../ldap/entry-decoder.ts'
import { endless, maxRecords } from '../bounds.ts'
import { SourceError } from '../source.ts'
import { statements } from '../statements.ts'
import { isNamed, type Located, locatedShape } from './located.ts'
import { memberAttributes, type Preset } from './presets.ts'
import type { LdapReader } from './reader.ts'

/** A part of the values of one attribute of a department. */
interface Part {
  attribute: string
  values: readonly string[]
  start: number
  /** The position of the next part; null: this was the last. */
  next: number | null
}

/** A department with the members of the first response. */
export interface Listing extends Located {
  parts: Part[]
  /** By which people name it as their primary group; '' where none does. */
  number: string
}

/** `member;range=0-1499`: Active Directory answers large attributes in parts ([MS-ADTS] section 3.1.1.3.1.3.3). */
const partPattern = /^([^;]+)(?:;range=(\d+)-(\d+|\*))?$/i

const numbered: AttributeShape<Listing> = {
  form: 'text',
  add(listing, [value = '']) {
    listing.number = value
  },
}

export const listingShape = (preset: Preset): EntryShape<Listing> => {
  const located = locatedShape(preset)
  const names = new Map(memberAttributes(preset).map((name) => [name.toLowerCase(), name]))
  const { number = '' } = preset.primaryGroup ?? {}
  return {
    begin: (dn) => ({ ...located.begin(dn), parts: [], number: '' }),
    attribute(description) {
      if (number !== '' && isNamed(description, number)) return numbered
      const [, name = '', start = '0', end = '*'] = partPattern.exec(description) ?? []
      const attribute = names.get(name.toLowerCase())
      if (attribute === undefined) return located.attribute(description)
      const place = { attribute, start: Number(start), next: end === '*' ? null : Number(end) + 1 }
      return { form: 'text', add: ({ parts }, values) => void parts.push({ ...place, values }) }
    },
  }
}

/** A part without a value that is not the last could be followed by others like it for ever. */
const goesOn = ({ values, start, next }: Part): boolean => next === null || (values.length > 0 && next > start)

/**
 * All values of one attribute: further parts are requested one by one.
 * @throws SourceError when a part is missing, or has nothing and is not the last, or the parts do not end
 */
export async function* readMembers(
  reader: LdapReader,
  shape: EntryShape<Listing>,
  { dn, parts }: Listing,
  attribute: string,
): AsyncGenerator<readonly string[]> {
  let known = parts.filter((part) => part.attribute === attribute)
  let found = 0
  for (;;) {
    for (const { values } of known) {
      found += values.length
      if (found > maxRecords) throw endless(statements.endless({ limit: maxRecords }))
      yield values
    }
    const next = known.find((part) => part.next !== null)?.next ?? null
    if (next === null) return
    const rest = await reader.entry({ base: dn, attributes: [`${attribute};range=${next}-*`] }, shape)
    known = rest?.parts.filter((part) => part.attribute === attribute && part.start === next && goesOn(part)) ?? []
    if (known.length === 0) {
      throw new SourceError(statements.members_changed({ dn }), { advised: statements.nothing_changed() })
    }
  }
}
