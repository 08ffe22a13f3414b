import type { AttributeShape, EntryShape } from '../../ldap/entry-decoder.ts'
import { attributeName } from './attribute-names.ts'
import { entryKey } from './entry-key.ts'
import { identityShape, type Located } from './located.ts'
import type { Preset } from './presets.ts'

export interface RecordEntry extends Located {
  record: Record<string, string | string[]>
}

type RecordAttribute = AttributeShape<RecordEntry> | null

/**
 * Reads an entry as `{dn, uid: 'ann', mail: ['a@example.org', 'ann@example.org'], …}`: the text of an attribute with
 * one value, a list for several. How an attribute is decoded is decided once per spelling.
 */
export const recordShape = ({ identity }: Preset, leftOut: readonly string[] = []): EntryShape<RecordEntry> => {
  const known = new Map<string, RecordAttribute>()
  const decide = (description: string): RecordAttribute => {
    const name = attributeName(description)
    if (name === null || leftOut.includes(name)) return null
    return name === identity ? identified(identity) : valued(name)
  }
  return {
    begin: (dn) => ({ dn, key: entryKey(dn), id: '', record: { dn } }),
    attribute(description) {
      let attribute = known.get(description)
      if (attribute === undefined) {
        attribute = decide(description)
        known.set(description, attribute)
      }
      return attribute
    },
  }
}

const identified = (identity: Preset['identity']): RecordAttribute => {
  const { form, add } = identityShape(identity)
  return {
    form,
    add(entry, values) {
      add(entry, values)
      entry.record[identity] = entry.id
    },
  }
}

/** Octets that were read as text. */
const unreadable = /[\0\ufffd]/

const valued = (name: string): RecordAttribute => ({
  form: 'text',
  add({ record }, values) {
    const [first] = values
    if (first === undefined) return
    if (values.length === 1) {
      if (!unreadable.test(first)) record[name] = first
    } else if (!values.some((value) => unreadable.test(value))) {
      record[name] = values
    }
  },
})
