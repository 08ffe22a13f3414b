import type { ReactNode } from 'react'
import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { useKept } from '../people/kept.ts'
import { useLabelOf } from './attribute.ts'

/** A declared attribute as lists tell of it. */
export type Listed = NonNullable<Data<'listPeople'>['attributes']>[number]

interface WithValues {
  attributes: Readonly<Record<string, readonly string[]>>
}

/** Stands before the name of an attribute in the id of its column: no other column has such an id. */
const mark = 'attribute '

/** The contract's limit. */
const maxShown = 10

const readIds = (kept: unknown): string[] | null =>
  Array.isArray(kept) ? kept.filter((each): each is string => typeof each === 'string') : null

interface Choice<Row> {
  all: readonly Column<Row>[]
  /** The ids of those that are shown before any are chosen. */
  first: readonly string[]
  /** The id of one that is always shown. */
  fixed?: string
}

/**
 * The columns that this browser shows of a list, declared attributes among them, and what chooses them.
 * @param key the name under which the browser keeps the choice
 */
export const useChosenColumns = <Row extends WithValues>(key: string, { all, first, fixed }: Choice<Row>) => {
  const [kept, keep] = useKept(key, readIds)
  const ofAttribute = useAttributeColumn<Row>()
  const shown = kept ?? first
  const names = shown.flatMap((id) => (id.startsWith(mark) ? [id.slice(mark.length)] : [])).slice(0, maxShown)
  return {
    /** For the parameter `show` of the list. */
    show: names.length === 0 ? {} : { show: names.join(',') },
    /** @param attributes those that the list told of */
    with: (attributes: readonly Listed[] = []) => {
      const every = [...all, ...attributes.map(ofAttribute)]
      return {
        chooser: { all: every, shown, keep, fixed },
        columns: every.filter(({ id }) => id === fixed || shown.includes(id)),
      }
    },
  }
}

const useAttributeColumn = <Row extends WithValues>(): ((attribute: Listed) => Column<Row>) => {
  const { status, listed } = usePageTexts('attributes')
  const labelOf = useLabelOf()
  return (attribute) => ({
    id: `${mark}${attribute.name}`,
    title: labelOf(attribute),
    width: 'minmax(110px, 1fr)',
    render: ({ attributes }): ReactNode => {
      const values = attributes[attribute.name] ?? []
      return attribute.type === 'boolean'
        ? listed(values.map((value) => (value === 'true' ? status.yes : status.no)))
        : listed(values)
    },
  })
}
