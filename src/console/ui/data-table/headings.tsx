import { Checkbox } from '@mantine/core'
import { useTexts } from '../../app/language.tsx'
import { ArrowDown, ArrowUp } from '../icons.tsx'
import type { Column, Sort } from './props.ts'

interface SelectAllProps {
  /** Of the rows that can be selected. */
  keys: readonly (string | number)[]
  selected: ReadonlySet<string | number>
  onSelect: ((keys: Set<string | number>) => void) | undefined
}

/** The checkbox in the head of the table. */
export const SelectAll = ({ keys, selected, onSelect }: SelectAllProps) => {
  const { table } = useTexts()
  const all = keys.length > 0 && keys.every((key) => selected.has(key))
  return (
    <div role="columnheader">
      <Checkbox
        size="xs"
        aria-label={table.selectAll}
        checked={all}
        disabled={keys.length === 0}
        indeterminate={!all && keys.some((key) => selected.has(key))}
        onChange={() => onSelect?.(all ? new Set() : new Set(keys))}
      />
    </div>
  )
}

interface HeadingProps<Row> {
  column: Column<Row>
  sort: Sort | undefined
  onSort: ((sort: Sort) => void) | undefined
}

/** A column's title; where the list can be sorted by it, a button that does. */
export const Heading = <Row,>({ column, sort, onSort }: HeadingProps<Row>) => {
  const { table } = useTexts()
  const sorted = column.sort !== undefined && sort?.by === column.sort
  return (
    <div
      role="columnheader"
      className={column.end ? 'end' : undefined}
      aria-sort={sorted ? (sort?.descending ? 'descending' : 'ascending') : undefined}
    >
      {column.sort === undefined || onSort === undefined ? (
        column.title
      ) : (
        <button
          type="button"
          className="sort-button"
          title={table.sortBy(column.title)}
          onClick={() => onSort({ by: column.sort ?? '', descending: sorted && !sort?.descending })}
        >
          {column.title}
          {sorted && (sort?.descending ? <ArrowDown width={12} /> : <ArrowUp width={12} />)}
        </button>
      )}
    </div>
  )
}
