import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { withIndex } from '../with-index.ts'
import type { DataTableProps } from './props.ts'

interface RowsOptions<Row> extends Pick<DataTableProps<Row>, 'rows' | 'keyOf'> {
  rowHeight: number
  more: DataTableProps<Row>['more'] | undefined
}

let printing = false
const isPrinting = (): boolean => printing
const onPrint = (listener: () => void): (() => void) => {
  const listen = ({ type }: Event): void => {
    printing = type === 'beforeprint'
    listener()
  }
  addEventListener('beforeprint', listen)
  addEventListener('afterprint', listen)
  return () => {
    removeEventListener('beforeprint', listen)
    removeEventListener('afterprint', listen)
  }
}

/** The rows that are drawn, the one that Tab leads to, and what moves the focus; loads more before the end is in sight. */
export const useVisibleRows = <Row>({ rows, keyOf, more, rowHeight }: RowsOptions<Row>) => {
  const scroller = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState(0)
  const isWhole = useSyncExternalStore(onPrint, isPrinting)
  const visibleRows = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    // A page that is printed is not scrolled: all rows that are loaded.
    overscan: isWhole ? rows.length : 8,
    // What Tab leads to is drawn wherever the list is scrolled to.
    rangeExtractor: (range) => withIndex(defaultRangeExtractor(range), Math.min(focused, rows.length - 1)),
    getItemKey: (index) => {
      const row = rows[index]
      return row === undefined ? index : keyOf(row)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: all rows are measured anew when their height is another
  useEffect(() => visibleRows.measure(), [visibleRows, rowHeight])
  // Not what is drawn for the focus alone.
  const { startIndex: first = 0, endIndex: last = 0 } = visibleRows.range ?? {}
  const { has = false, loading = false, load, see } = more ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is told is new with the rows in sight alone
  useEffect(() => see?.(first, last), [first, last, rows.length])
  useEffect(() => {
    if (has && !loading && last >= rows.length - 20) load?.()
  }, [has, loading, load, last, rows.length])
  const goTo = (index: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, index))
    setFocused(next)
    visibleRows.scrollToIndex(next)
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus({ preventScroll: true }),
    )
  }
  return { scroller, visibleRows, focused, setFocused, goTo }
}
