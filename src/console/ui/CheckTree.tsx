import { usePageTexts } from '../app/page-texts.ts'
import './tree.css'
import { VisuallyHidden } from '@mantine/core'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { type Checked, type CheckNode, type CheckRow, canToggle, rowsOf, stateOf, toggled } from './check-tree.ts'
import { ChevronDown, ChevronRight, MinusIcon, TickIcon } from './icons.tsx'
import { withIndex } from './with-index.ts'

interface CheckTreeProps {
  label: string
  nodes: readonly CheckNode[]
  checked: Checked
  onChange(checked: Checked): void
  /** What was ticked at first: differences are marked. */
  before: Checked
  collapsed: ReadonlySet<string>
  onCollapse(collapsed: ReadonlySet<string>): void
  readOnly?: boolean
  height?: string
}

const rowHeight = 36

/**
 * A tree to tick, of any length: only the rows in sight are in the page. The arrow keys move, the left and right ones close
 * and open, Space and Enter tick. A box above others stands for all below it.
 */
export const CheckTree = ({
  label,
  nodes,
  checked,
  onChange,
  before,
  collapsed,
  onCollapse,
  readOnly = false,
  height = 'calc(100vh - 300px)',
}: CheckTreeProps) => {
  const scroller = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const rows = useMemo(() => rowsOf(nodes, collapsed), [nodes, collapsed])
  const atFocus = Math.max(
    0,
    rows.findIndex(({ node }) => node.key === focused),
  )
  const inSight = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    // What Tab leads to is drawn wherever the tree is scrolled to.
    rangeExtractor: (range) => withIndex(defaultRangeExtractor(range), Math.min(atFocus, rows.length - 1)),
    getItemKey: (index) => rows[index]?.node.key ?? index,
  })
  const goTo = (index: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, index))
    setFocused(rows[next]?.node.key ?? null)
    inSight.scrollToIndex(next)
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus({ preventScroll: true }),
    )
  }
  const open = ({ node, expanded }: CheckRow): void => {
    if (expanded === undefined) return
    const next = new Set(collapsed)
    if (expanded) next.add(node.key)
    else next.delete(node.key)
    onCollapse(next)
  }
  const toggle = ({ node }: CheckRow): void => {
    if (!readOnly && canToggle(node, checked)) onChange(toggled(node, checked))
  }
  const onKeyDown = (event: KeyboardEvent, row: CheckRow, index: number): void => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)
    const parent = rows.slice(0, index).findLastIndex(({ level }) => level < row.level)
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => goTo(index + 1),
      ArrowUp: () => goTo(index - 1),
      PageDown: () => goTo(index + page),
      PageUp: () => goTo(index - page),
      Home: () => goTo(0),
      End: () => goTo(rows.length - 1),
      ArrowRight: () => (row.expanded === false ? open(row) : row.expanded && goTo(index + 1)),
      ArrowLeft: () => (row.expanded ? open(row) : parent >= 0 && goTo(parent)),
      ' ': () => toggle(row),
      Enter: () => toggle(row),
    }
    const does = keys[event.key]
    if (does === undefined) return
    event.preventDefault()
    does()
  }
  return (
    <div ref={scroller} className="row-table check-tree" style={{ maxHeight: `max(${height}, var(--least-list))` }}>
      <div
        role="tree"
        aria-label={label}
        aria-multiselectable
        style={{ height: inSight.getTotalSize(), position: 'relative' }}
      >
        {inSight.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <div
              key={key}
              role="treeitem"
              data-index={index}
              aria-level={row.level}
              aria-setsize={row.siblings}
              aria-posinset={row.position}
              aria-expanded={row.expanded}
              aria-checked={stateOf(row.node, checked)}
              title={readOnly ? undefined : row.node.locked}
              aria-disabled={readOnly || !canToggle(row.node, checked) || undefined}
              tabIndex={index === atFocus ? 0 : -1}
              style={{ transform: `translateY(${start}px)`, paddingInlineStart: 8 + (row.level - 1) * 24 }}
              onFocus={() => setFocused(row.node.key)}
              onKeyDown={(event) => onKeyDown(event, row, index)}
              onClick={(event) => {
                if ((event.target as HTMLElement).closest('[data-opens]') !== null) open(row)
                else toggle(row)
              }}
            >
              <Row row={row} checked={checked} before={before} readOnly={readOnly} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

interface RowProps {
  row: CheckRow
  checked: Checked
  before: Checked
  readOnly: boolean
}

const Row = ({ row: { node, expanded }, checked, before, readOnly }: RowProps) => {
  const { permissions } = usePageTexts('permissions')
  const state = stateOf(node, checked)
  const value = node.value
  const isNow = value !== undefined && checked.has(value)
  const wasBefore = value !== undefined && before.has(value)
  const change = isNow === wasBefore ? null : isNow ? permissions.added : permissions.removed
  return (
    <>
      <span className="tree-toggle" data-opens={expanded === undefined ? undefined : true} aria-hidden="true">
        {expanded !== undefined && (expanded ? <ChevronDown width={12} /> : <ChevronRight width={12} />)}
      </span>
      <span className="tick" data-state={String(state)} aria-hidden="true">
        {state === true ? <TickIcon width={12} /> : state === 'mixed' ? <MinusIcon width={12} /> : null}
      </span>
      <span className={node.children === undefined ? 'cut' : 'cut strong'} title={node.label}>
        {node.label}
      </span>
      {node.note !== undefined && (
        <span className="dimmed cut fixed" title={node.note}>
          {node.note}
        </span>
      )}
      {change !== null && (
        <span className={isNow ? 'change change-added' : 'change change-removed'}>
          <span aria-hidden="true">{isNow ? '+' : '−'}</span>
          <VisuallyHidden>{change}</VisuallyHidden>
        </span>
      )}
      {node.locked !== undefined && !readOnly && !isNow && node.note === undefined && (
        <span className="dimmed cut locked" title={node.locked}>
          {node.locked}
        </span>
      )}
      {node.detail !== undefined && (
        <span className="mono dimmed cut detail" title={node.detail}>
          {node.detail}
        </span>
      )}
    </>
  )
}
