import { useLanguage } from '../../app/language.tsx'
import { useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { useLabelOf } from '../attributes/attribute.ts'
import { type Kind, mappedFields } from './relation.ts'

/** What a source can fill: the fields of a record, and the attributes that are declared. */
export interface Targets {
  names: readonly string[]
  /** What a field is called in the language of the page. */
  nameOf(field: string): string
}

export const useTargets = (kind: Kind): Targets => {
  const { texts } = useLanguage()
  const labelOf = useLabelOf()
  const enabled = useMay('listAttributes')
  const { data } = useReading('listAttributes', {}, { enabled })
  const declared = (data?.attributes ?? []).filter((each) => each.kind === (kind === 'users' ? 'user' : 'group'))
  const names: Readonly<Record<string, string>> = texts.fields
  return {
    names: [...mappedFields[kind], ...declared.map(({ name }) => name)],
    nameOf(field) {
      const attribute = declared.find(({ name }) => name === field)
      return attribute === undefined ? (names[field] ?? field) : labelOf(attribute)
    },
  }
}
