import stringWidth from 'string-width'
import { printable } from './printable.ts'

export interface Column {
  title: string
  /** Numbers are aligned at the right. */
  align?: 'right'
}

export interface TableOptions {
  /** Columns of the terminal; longer lines are cut off. Default: not cut. */
  width?: number
  /** Whether the titles are printed; default true. */
  titled?: boolean
}

const gap = '  '

/** Rows as lines, aligned by the width of the characters on a terminal. */
export const table = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width = Number.POSITIVE_INFINITY, titled = true }: TableOptions = {},
): string[] => {
  const texts = [...(titled ? [columns.map(({ title }) => title)] : []), ...rows].map((row) => row.map(printable))
  const widths = columns.map((_, index) => Math.max(0, ...texts.map((row) => stringWidth(row[index] ?? ''))))
  return texts.map((row) => {
    const cells = columns.map(({ align }, index) => {
      const text = row[index] ?? ''
      const padding = ' '.repeat((widths[index] ?? 0) - stringWidth(text))
      return align === 'right' ? padding + text : text + padding
    })
    return cut(cells.join(gap).trimEnd(), width)
  })
}

const segmenter = new Intl.Segmenter()

/** A text of at most this width; a longer one is cut and ends with an ellipsis. */
export const cut = (text: string, width: number): string => {
  if (stringWidth(text) <= width) return text
  let kept = ''
  let used = 1
  for (const { segment } of segmenter.segment(text)) {
    used += stringWidth(segment)
    if (used > width) break
    kept += segment
  }
  return `${kept}…`
}
