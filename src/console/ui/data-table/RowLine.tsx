import { Checkbox } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useTexts } from '../../app/language.tsx'
import { type Column, type DataTableProps, rowHeights, type TreeRows } from './props.ts'

interface RowLineProps<Row> extends Pick<DataTableProps<Row>, 'columns' | 'nameOf'> {
  tree: TreeRows<Row> | undefined
  onOpen: ((row: Row) => void) | undefined
  row: Row
  index: number
  /** Pixels from the top of the list. */
  start: number
  /** In pixels. */
  height: number
  /** The widths of the columns. */
  tracks: string
  isCurrent: boolean
  /** undefined: rows cannot be selected. */
  isSelected: boolean | undefined
  /** Why it cannot be selected. */
  locked: string | undefined
  /** Tab leads to it. */
  isTabStop: boolean
  onFocus(): void
  onKeyDown(event: KeyboardEvent): void
  onToggle(): void
}

const cellClass = <Row,>({ end, twoLines }: Column<Row>, height: number): string | undefined =>
  end ? 'end' : twoLines && height === rowHeights.twoLines ? 'two-lines' : undefined

export const RowLine = <Row,>({
  row,
  index,
  start,
  height,
  tracks,
  columns,
  tree,
  onOpen,
  nameOf,
  ...line
}: RowLineProps<Row>) => {
  const { table } = useTexts()
  const { isCurrent, isSelected, locked, isTabStop, onFocus, onKeyDown, onToggle } = line
  return (
    <div
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      aria-current={isCurrent ? 'true' : undefined}
      aria-level={tree?.levelOf(row)}
      aria-expanded={tree?.expandedOf(row)}
      aria-selected={isSelected}
      tabIndex={isTabStop ? 0 : -1}
      style={{
        gridTemplateColumns: tracks,
        position: 'absolute',
        insetInline: 0,
        transform: `translateY(${start}px)`,
        height,
        cursor: onOpen === undefined ? undefined : 'pointer',
      }}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        if ((event.target as HTMLElement).closest('a, button, input, label') === null) onOpen?.(row)
      }}
    >
      {isSelected !== undefined && (
        <div role="gridcell">
          <Checkbox
            size="xs"
            tabIndex={-1}
            aria-label={table.selectRow(nameOf(row))}
            checked={isSelected}
            disabled={locked !== undefined}
            title={locked}
            onChange={onToggle}
          />
        </div>
      )}
      {columns.map((column) => {
        const shown = column.render(row)
        return (
          // A text may be cut.
          <div
            key={column.id}
            role="gridcell"
            className={cellClass(column, height)}
            title={typeof shown === 'string' ? shown : undefined}
          >
            {shown}
          </div>
        )
      })}
    </div>
  )
}
