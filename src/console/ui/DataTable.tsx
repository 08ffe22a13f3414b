import { Checkbox, Text, VisuallyHidden } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTexts } from '../app/language.tsx'
import { ArrowDown, ArrowUp } from './icons.tsx'

export interface Column<Row> {
  id: string
  title: string
  /** A track of a CSS grid: `minmax(160px, 2fr)`. */
  width: string
  render(row: Row): ReactNode
  /** What the address and the service call this order; absent where they cannot sort by it. */
  sort?: string
  /** Figures stand at the end. */
  end?: boolean
}

export interface Sort {
  by: string
  descending: boolean
}

export interface DataTableProps<Row> {
  /** What the table is of, for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string | number
  /** What a row is called. */
  nameOf(row: Row): string
  sort?: Sort | undefined
  onSort?(sort: Sort): void
  /** Opens a row: by click, or by Enter. */
  onOpen?(row: Row): void
  /** The open row. */
  current?: string | number | undefined
  selected?: ReadonlySet<string | number>
  onSelect?(selected: ReadonlySet<string | number>): void
  /** Whether there are rows after these, and what brings them. */
  more?: { has: boolean; loading: boolean; load(): void }
  /** Shown instead of rows where the list has no row. */
  empty: ReactNode
  /** The height of the table in CSS; default: what is left of the window. */
  height?: string
}

const rowHeight = 36

/**
 * A list of any length: only the rows in sight are in the page. The arrow keys go from row to row, Enter opens one and Space
 * selects it. What the end of the list comes near is loaded.
 */
export const DataTable = <Row,>({
  label,
  columns,
  rows,
  keyOf,
  nameOf,
  sort,
  onSort,
  onOpen,
  current,
  selected,
  onSelect,
  more,
  empty,
  height = 'calc(100vh - 220px)',
}: DataTableProps<Row>) => {
  const { table } = useTexts()
  const scroller = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState(0)
  const rowsInSight = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    getItemKey: (index) => {
      const row = rows[index]
      return row === undefined ? index : keyOf(row)
    },
  })
  const items = rowsInSight.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const { has = false, loading = false, load } = more ?? {}
  useEffect(() => {
    if (has && !loading && last >= rows.length - 12) load?.()
  }, [has, loading, load, last, rows.length])

  const tracks = `${selected === undefined ? '' : '40px '}${columns.map(({ width }) => width).join(' ')}`
  const goTo = (index: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, index))
    setFocused(next)
    rowsInSight.scrollToIndex(next)
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus({ preventScroll: true }),
    )
  }
  const toggle = (key: string | number): void => {
    const next = new Set(selected)
    if (!next.delete(key)) next.add(key)
    onSelect?.(next)
  }
  const onKeyDown = (event: KeyboardEvent, row: Row, index: number): void => {
    if (event.target !== event.currentTarget) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + page,
      PageUp: index - page,
      Home: 0,
      End: rows.length - 1,
    }
    const to = moves[event.key]
    if (to !== undefined) goTo(to)
    else if (event.key === 'Enter') onOpen?.(row)
    else if (event.key === ' ' && selected !== undefined) toggle(keyOf(row))
    else return
    event.preventDefault()
  }
  const all = rows.length > 0 && selected !== undefined && rows.every((row) => selected.has(keyOf(row)))
  const some = selected !== undefined && rows.some((row) => selected.has(keyOf(row)))
  return (
    <div
      ref={scroller}
      className="row-table"
      role="grid"
      aria-label={label}
      aria-rowcount={has ? -1 : rows.length + 1}
      aria-busy={loading}
      {...(selected !== undefined && { 'aria-multiselectable': true })}
      style={{ maxHeight: height }}
    >
      <div role="rowgroup" className="head">
        <div role="row" aria-rowindex={1} style={{ gridTemplateColumns: tracks }}>
          {selected !== undefined && (
            <div role="columnheader">
              <Checkbox
                size="xs"
                aria-label={table.selectAll}
                checked={all}
                indeterminate={some && !all}
                onChange={() => onSelect?.(all ? new Set() : new Set(rows.map(keyOf)))}
              />
            </div>
          )}
          {columns.map((column) => {
            const sorted = column.sort !== undefined && sort?.by === column.sort
            return (
              <div
                key={column.id}
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
          })}
        </div>
      </div>
      {rows.length === 0 ? (
        <div role="rowgroup" className="body">
          <div role="row" style={{ display: 'block', height: 'auto' }}>
            <div role="gridcell">{empty}</div>
          </div>
        </div>
      ) : (
        <div role="rowgroup" className="body" style={{ height: rowsInSight.getTotalSize(), position: 'relative' }}>
          {items.map(({ index, key, start }) => {
            const row = rows[index]
            if (row === undefined) return null
            const id = keyOf(row)
            return (
              <div
                key={key}
                role="row"
                data-index={index}
                aria-rowindex={index + 2}
                aria-current={current === id ? 'true' : undefined}
                aria-selected={selected === undefined ? undefined : selected.has(id)}
                tabIndex={index === Math.min(focused, rows.length - 1) ? 0 : -1}
                style={{
                  gridTemplateColumns: tracks,
                  position: 'absolute',
                  insetInline: 0,
                  transform: `translateY(${start}px)`,
                  cursor: onOpen === undefined ? undefined : 'pointer',
                }}
                onFocus={() => setFocused(index)}
                onKeyDown={(event) => onKeyDown(event, row, index)}
                onClick={(event) => {
                  if ((event.target as HTMLElement).closest('a, button, input, label') === null) onOpen?.(row)
                }}
              >
                {selected !== undefined && (
                  <div role="gridcell">
                    <Checkbox
                      size="xs"
                      tabIndex={-1}
                      aria-label={table.selectRow(nameOf(row))}
                      checked={selected.has(id)}
                      onChange={() => toggle(id)}
                    />
                  </div>
                )}
                {columns.map((column) => (
                  <div key={column.id} role="gridcell" className={column.end ? 'end' : undefined}>
                    {column.render(row)}
                  </div>
                ))}
              </div>
            )
          })}
        </div>
      )}
      {loading && rows.length > 0 && (
        <Text size="xs" c="dimmed" p="xs" role="status">
          {table.loadingMore}
        </Text>
      )}
      {onSelect !== undefined && (
        <VisuallyHidden role="status">
          {(selected?.size ?? 0) > 0 ? table.selected(selected?.size ?? 0) : ''}
        </VisuallyHidden>
      )}
    </div>
  )
}
