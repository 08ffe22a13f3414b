import './tree.css'
import type { ReactNode } from 'react'
import { ChevronDown, ChevronRight } from './icons.tsx'

interface TreeCellProps {
  /** From 1. */
  level: number
  /** undefined: nothing is below. */
  expanded: boolean | undefined
  toggle(): void
  /** What the button does: "Show what is below". */
  label: string
  children: ReactNode
}

/** The first cell of a row of a tree: indented, with what opens it. The arrow keys of the row do the same. */
export const TreeCell = ({ level, expanded, toggle, label, children }: TreeCellProps) => (
  <span className="tree-cell" style={{ paddingInlineStart: (level - 1) * 20 }}>
    {expanded === undefined ? (
      <span className="tree-toggle" />
    ) : (
      <button type="button" className="tree-toggle" tabIndex={-1} aria-label={label} onClick={toggle}>
        {expanded ? <ChevronDown width={12} /> : <ChevronRight width={12} />}
      </button>
    )}
    <span className="cut">{children}</span>
  </span>
)
