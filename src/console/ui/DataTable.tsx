import { Checkbox, Text, VisuallyHidden } from '@mantine/core'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTexts } from '../app/language.tsx'
import { ArrowDown, ArrowUp } from './icons.tsx'
import { useIsPhone } from './use-is-phone.ts'
import { withIndex } from './with-index.ts'

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
  /** On a phone it has two lines, and the rows are as high. */
  twoLines?: boolean
}

export interface Sort {
  by: string
  descending: boolean
}

export interface TreeRows<Row> {
  /** From 1. */
  levelOf(row: Row): number
  /** undefined: nothing is below. */
  expandedOf(row: Row): boolean | undefined
  toggle(row: Row): void
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
  /** Why a row cannot be selected; undefined: it can be. */
  lockedOf?(row: Row): string | undefined
  /** The rows are a tree, in its order: the left and right arrow keys close and open a row. */
  tree?: TreeRows<Row>
  /** Whether there are rows after these, and what brings them; `see` is told which rows are in sight, from 0. */
  more?: { has: boolean; loading: boolean; load(): void; see?(first: number, last: number): void }
  /** Shown instead of rows where the list has no row. */
  empty: ReactNode
  /** The height of the table in CSS; default: what is left of the window. */
  height?: string
}

const oneLine = 36
const twoLines = 52

interface RowsOptions<Row> extends Pick<DataTableProps<Row>, 'rows' | 'keyOf'> {
  rowHeight: number
  more: DataTableProps<Row>['more'] | undefined
}

/** The rows that are drawn, the one that Tab leads to, and what moves the focus; loads more before the end is in sight. */
const useRowsInSight = <Row,>({ rows, keyOf, more, rowHeight }: RowsOptions<Row>) => {
  const scroller = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState(0)
  const rowsInSight = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    // What Tab leads to is drawn wherever the list is scrolled to.
    rangeExtractor: (range) => withIndex(defaultRangeExtractor(range), Math.min(focused, rows.length - 1)),
    getItemKey: (index) => {
      const row = rows[index]
      return row === undefined ? index : keyOf(row)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: all rows are measured anew when their height is another
  useEffect(() => rowsInSight.measure(), [rowsInSight, rowHeight])
  // Not what is drawn for the focus alone.
  const { startIndex: first = 0, endIndex: last = 0 } = rowsInSight.range ?? {}
  const { has = false, loading = false, load, see } = more ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is told is new with the rows in sight alone
  useEffect(() => see?.(first, last), [first, last, rows.length])
  useEffect(() => {
    if (has && !loading && last >= rows.length - 20) load?.()
  }, [has, loading, load, last, rows.length])
  const goTo = (index: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, index))
    setFocused(next)
    rowsInSight.scrollToIndex(next)
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus({ preventScroll: true }),
    )
  }
  return { scroller, rowsInSight, focused, setFocused, goTo }
}

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
  lockedOf,
  tree,
  more,
  empty,
  height = 'calc(100vh - 220px)',
}: DataTableProps<Row>) => {
  const { table } = useTexts()
  const { has = false, loading = false } = more ?? {}
  const isPhone = useIsPhone()
  const rowHeight = isPhone && columns.some((column) => column.twoLines) ? twoLines : oneLine
  const { scroller, rowsInSight, focused, setFocused, goTo } = useRowsInSight({ rows, keyOf, more, rowHeight })
  const tracks = `${selected === undefined ? '' : '40px '}${columns.map(({ width }) => width).join(' ')}`
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
    else if (tree !== undefined && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
      const step = treeStep(tree, rows, index, event.key === 'ArrowRight')
      if (step === 'toggle') tree.toggle(row)
      else goTo(step)
    } else if (event.key === 'Enter') onOpen?.(row)
    else if (event.key === ' ' && selected !== undefined && lockedOf?.(row) === undefined) toggle(keyOf(row))
    else return
    event.preventDefault()
  }
  const open = lockedOf === undefined ? rows : rows.filter((row) => lockedOf(row) === undefined)
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
        style={{ maxHeight: height }}
      >
        <div role="rowgroup" className="head">
          <div role="row" aria-rowindex={1} style={{ gridTemplateColumns: tracks }}>
            {selected !== undefined && <SelectAll keys={open.map(keyOf)} selected={selected} onSelect={onSelect} />}
            {columns.map((column) => (
              <Heading key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </div>
        </div>
        {rows.length === 0 ? (
          <div role="rowgroup" className="body">
            <div role="row" style={{ display: 'block', height: 'auto' }}>
              <div role="gridcell" className="data-empty">
                {empty}
              </div>
            </div>
          </div>
        ) : (
          <div role="rowgroup" className="body" style={{ height: rowsInSight.getTotalSize(), position: 'relative' }}>
            {rowsInSight.getVirtualItems().map(({ index, key, start }) => {
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

interface SelectAllProps {
  /** Of the rows that can be selected. */
  keys: readonly (string | number)[]
  selected: ReadonlySet<string | number>
  onSelect: ((keys: Set<string | number>) => void) | undefined
}

const SelectAll = ({ keys, selected, onSelect }: SelectAllProps) => {
  const { table } = useTexts()
  const all = keys.length > 0 && keys.every((key) => selected.has(key))
  return (
    <div role="columnheader">
      <Checkbox
        size="xs"
        aria-label={table.selectAll}
        checked={all}
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
const Heading = <Row,>({ column, sort, onSort }: HeadingProps<Row>) => {
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

const cellClass = <Row,>({ end, twoLines: both }: Column<Row>, height: number): string | undefined =>
  end ? 'end' : both && height === twoLines ? 'two-lines' : undefined

const RowLine = <Row,>({
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
      {columns.map((column) => (
        <div key={column.id} role="gridcell" className={cellClass(column, height)}>
          {column.render(row)}
        </div>
      ))}
    </div>
  )
}

/** Where an arrow key leads in a tree: to a row, or it opens or closes this one. */
const treeStep = <Row,>(
  { levelOf, expandedOf }: TreeRows<Row>,
  rows: readonly Row[],
  index: number,
  right: boolean,
): 'toggle' | number => {
  const row = rows[index]
  if (row === undefined) return index
  const expanded = expandedOf(row)
  if (right) return expanded === false ? 'toggle' : expanded ? index + 1 : index
  if (expanded) return 'toggle'
  const above = rows.slice(0, index).findLastIndex((each) => levelOf(each) < levelOf(row))
  return above < 0 ? index : above
}
