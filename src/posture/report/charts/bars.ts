import { html, type Markup } from '../markup.ts'
import { area, frame, grid, nothing } from './frame.ts'
import { dayLabel, round, stepFor } from './scale.ts'

export interface Series {
  label: string
  /** The CSS class of its bars. */
  className: string
  /** One for each day. */
  values: readonly number[]
}

export interface BarsOptions {
  id: string
  title: string
  /** `YYYY-MM-DD` */
  days: readonly string[]
  /** From the bottom up. */
  series: readonly Series[]
  /** Shown where all values are zero. */
  empty: string
}

/** Daily numbers, kinds stacked on top of each other. */
export const bars = ({ id, title, days, series, empty }: BarsOptions): Markup => {
  const totals = days.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const step = stepFor(Math.max(...totals, 1), 4)
  const top = step * Math.max(1, Math.ceil(Math.max(...totals) / step))
  const y = (value: number): number => round(area.bottom - (value / top) * (area.bottom - area.top))
  const pitch = (area.right - area.left) / Math.max(1, days.length)
  const left = (index: number): number => round(area.left + pitch * (index + 0.18))
  const every = Math.ceil(days.length / 5)

  const bar = (index: number): Markup[] => {
    let below = 0
    return series.flatMap(({ className, label, values }) => {
      const value = values[index] ?? 0
      if (value === 0) return []
      const from = below
      below += value
      return [
        html`<rect class="${className}" x="${left(index)}" y="${y(below)}" width="${round(pitch * 0.64)}" height="${round(y(from) - y(below))}"><title>${dayLabel(days[index] ?? '')}: ${value} ${label}</title></rect>`,
      ]
    })
  }
  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step)
  const sums = series.map(({ label, values }) => `${label} ${values.reduce((sum, value) => sum + value, 0)}`)
  return frame({
    id,
    title,
    description: `In ${days.length} days: ${sums.join(', ')}.`,
    legend: series.map(({ className, label }) => ({ className, label })),
    drawing: html`
    ${grid(ticks, y)}
    ${days.map((_, index) => bar(index))}
    <g class="labels">${days.map((day, index) => ((days.length - 1 - index) % every === 0 ? html`<text x="${round(area.left + pitch * (index + 0.5))}" y="${area.bottom + 26}" text-anchor="middle">${dayLabel(day)}</text>` : null))}</g>
    ${totals.every((total) => total === 0) ? nothing(empty) : null}`,
    heads: ['Day', ...series.map(({ label }) => label)],
    rows: days.map((day, index) => [day, ...series.map(({ values }) => values[index] ?? 0)]),
  })
}
