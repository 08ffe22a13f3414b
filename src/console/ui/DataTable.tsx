import { Text, VisuallyHidden } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTexts } from '../app/language.tsx'
import { Heading, SelectAll } from './data-table/headings.tsx'
import { type DataTableProps, rowHeights } from './data-table/props.ts'
import { RowLine } from './data-table/RowLine.tsx'
import { rowAfterKey } from './data-table/row-after-key.ts'
import { treeStep } from './data-table/tree-step.ts'
import { useVisibleRows } from './data-table/use-visible-rows.ts'
import { useIsPhone } from './use-is-phone.ts'

export type { Column, Sort } from './data-table/props.ts'

/**
 * A list of any length: only the rows in sight are in the page. The arrow keys go from row to row, Enter opens one, or
 * follows its link, and Space selects it. What the end of the list comes near is loaded.
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
  lockedOf: locks,
  tree,
  more,
  empty,
  height = 'calc(100vh - 220px)',
}: DataTableProps<Row>) => {
  const { table } = useTexts()
  const { has = false, loading = false, stale = false } = more ?? {}
  const lockedOf = stale ? () => table.loadingMore : locks
  const isPhone = useIsPhone()
  const rowHeight = isPhone && columns.some((column) => column.twoLines) ? rowHeights.twoLines : rowHeights.oneLine
  const { scroller, visibleRows, focused, setFocused, goTo } = useVisibleRows({ rows, keyOf, more, rowHeight })
  const tracks = `${selected === undefined ? '' : '40px '}${columns.map(({ width }) => width).join(' ')}`
  const toggle = (key: string | number): void => {
    const next = new Set(selected)
    if (!next.delete(key)) next.add(key)
    onSelect?.(next)
  }
  const onKeyDown = (event: KeyboardEvent, row: Row, index: number): void => {
    if (event.target !== event.currentTarget) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
    const to = rowAfterKey(event.key, { index, page, count: rows.length })
    if (to !== undefined) goTo(to)
    else if (tree !== undefined && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
      const step = treeStep(tree, rows, index, event.key === 'ArrowRight')
      if (step === 'toggle') tree.toggle(row)
      else goTo(step)
    } else if (event.key === 'Enter') {
      if (onOpen !== undefined) onOpen(row)
      else linkIn(event.currentTarget)?.click()
    } else if (event.key === ' ' && selected !== undefined && lockedOf?.(row) === undefined) toggle(keyOf(row))
    else return
    event.preventDefault()
  }
  const selectable = lockedOf === undefined ? rows : rows.filter((row) => lockedOf(row) === undefined)
  return (
    <>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have a label */}
      <div
        ref={scroller}
        className="row-table"
        role={tree === undefined ? 'grid' : 'treegrid'}
        aria-label={label}
        aria-rowcount={has ? -1 : rows.length + 1}
        aria-busy={loading}
        {...(selected !== undefined && { 'aria-multiselectable': true })}
        // Without a row that has the focus, its columns could not be scrolled by keyboard.
        tabIndex={rows.length === 0 ? 0 : undefined}
        style={{ maxHeight: `max(${height}, var(--least-list))` }}
      >
        <div role="rowgroup" className="head">
          <div role="row" aria-rowindex={1} style={{ gridTemplateColumns: tracks }}>
            {selected !== undefined && (
              <SelectAll keys={selectable.map(keyOf)} selected={selected} onSelect={onSelect} />
            )}
            {columns.map((column) => (
              <Heading key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </div>
        </div>
        {rows.length === 0 ? (
          <NoRows>{empty}</NoRows>
        ) : (
          <div role="rowgroup" className="body" style={{ height: visibleRows.getTotalSize(), position: 'relative' }}>
            {visibleRows.getVirtualItems().map(({ index, key, start }) => {
              const row = rows[index]
              if (row === undefined) return null
              const id = keyOf(row)
              return (
                <RowLine
                  key={key}
                  row={row}
                  index={index}
                  start={start}
                  height={rowHeight}
                  tracks={tracks}
                  columns={columns}
                  tree={tree}
                  isCurrent={current === id}
                  isSelected={selected?.has(id)}
                  locked={lockedOf?.(row)}
                  isTabStop={index === Math.min(focused, rows.length - 1)}
                  onFocus={() => setFocused(index)}
                  onKeyDown={(event) => onKeyDown(event, row, index)}
                  onOpen={onOpen}
                  onToggle={() => toggle(id)}
                  nameOf={nameOf}
                />
              )
            })}
          </div>
        )}
      </div>
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
    </>
  )
}

/** What a row leads to that is not opened itself: Tab goes past the links of rows. */
const linkIn = (row: Element): HTMLElement | null => row.querySelector<HTMLElement>('a[tabindex="-1"]')

const NoRows = ({ children }: { children: ReactNode }) => (
  <div role="rowgroup" className="body">
    <div role="row" style={{ display: 'block', height: 'auto' }}>
      <div role="gridcell" className="data-empty">
        {children}
      </div>
    </div>
  </div>
)
