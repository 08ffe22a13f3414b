import type { ReactNode } from 'react'

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
  /**
   * Whether there are rows after these, and what brings them; `see` is told which rows are in sight, from 0. Stale rows are
   * those of the last filter, while the ones of another are loaded: they cannot be selected.
   */
  more?: { has: boolean; loading: boolean; stale?: boolean; load(): void; see?(first: number, last: number): void }
  /** Shown instead of rows where the list has no row. */
  empty: ReactNode
  /** The height of the table in CSS; default: what is left of the window. */
  height?: string
}

/** Heights of a row, in pixels. */
export const rowHeights = { oneLine: 36, twoLines: 52 } as const
