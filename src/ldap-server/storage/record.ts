import { storedRules } from '../entries/admission-rules.ts'
import { type Attribute, keyValues, type NamedValues, type StoredEntry } from '../entries/entry.ts'
import { dnKeyOf } from '../entries/locate.ts'
import type { Change, Stamp } from '../protocol/change.ts'
import type { Value } from '../value.ts'

/** One line of the files on disk: a change, or in a snapshot an entry. */
export type StoredRecord =
  | { change: Change; stamp: Stamp }
  | { entry: { dn: string; uuid: string; created: string; csn: string; attributes: readonly NamedValues[] } }

interface Octets {
  base64: string
}

const isOctets = (value: unknown): value is Octets =>
  typeof value === 'object' && value !== null && 'base64' in value && typeof value.base64 === 'string'

// Buffer has a toJSON of its own, which runs before a replacer; so values are converted first.
const storable = ({ name, values, ...rest }: NamedValues): object => ({
  ...rest,
  name,
  values: values.map((value) => (typeof value === 'string' ? value : { base64: value.toString('base64') })),
})

const storableChange = (change: Change): object => {
  if (change.kind === 'add') return { ...change, attributes: change.attributes.map(storable) }
  if (change.kind === 'modify') return { ...change, modifications: change.modifications.map(storable) }
  return change
}

export const encodeChange = (change: Change, stamp: Stamp): string =>
  `${JSON.stringify({ change: storableChange(change), stamp })}\n`

export const encodeEntry = ({ dn, uuid, created, csn, attributes }: StoredEntry): string => {
  const stored = Array.from(attributes.values(), ({ name, values }) => storable({ name, values: [...values.values()] }))
  return `${JSON.stringify({ entry: { dn, uuid, created, csn, attributes: stored } })}\n`
}

/** @throws SyntaxError for an incomplete line */
export const decodeRecord = (line: string): StoredRecord =>
  JSON.parse(line, (_key, value: unknown): unknown =>
    isOctets(value) ? Buffer.from(value.base64, 'base64') : value,
  ) as StoredRecord

/** An entry of a snapshot as it was written. */
export const restoreEntry = (id: number, stored: Extract<StoredRecord, { entry: object }>['entry']): StoredEntry => {
  const attributes = stored.attributes.map(({ name, values }): [string, Attribute] => {
    const description = storedRules.describe(name)
    return [
      description.key,
      {
        name: description.name,
        type: description.type,
        values: keyValues(storedRules, description, values as readonly Value[]),
      },
    ]
  })
  return { ...stored, id, key: dnKeyOf(stored.dn), attributes: new Map(attributes) }
}
