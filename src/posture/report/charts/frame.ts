import { html, type Markup } from '../markup.ts'

/** The width of a chart's drawing, in its own units; the page scales it. */
export const width = 640
export const height = 240
/** Where the data is drawn; around it are the labels. */
export const area = { left: 52, right: 632, top: 14, bottom: 200 }

export interface Chart {
  /** Unique on the page, for what describes it. */
  id: string
  title: string
  /** What it shows, for screen readers. */
  description: string
  legend?: readonly { className: string; label: string }[]
  drawing: Markup
  /** It takes a whole row, and its own size. */
  wide?: { width: number; height: number }
  /** The same figures as a table: its column titles, then its rows. */
  heads: readonly string[]
  rows: readonly (readonly (string | number | Markup)[])[]
}

/** A chart as a figure: the drawing, its legend, and the same figures as a table. */
export const frame = ({ id, title, description, legend = [], drawing, wide, heads, rows }: Chart): Markup => html`
<figure class="chart${wide ? ' wide' : null}" id="${id}">
  <figcaption>
    <h3>${title}</h3>
    ${legend.length === 0 ? null : html`<ul class="legend">${legend.map(({ className, label }) => html`<li><svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true"><rect class="${className}" width="10" height="10" rx="2"/></svg>${label}</li>`)}</ul>`}
  </figcaption>
  <svg viewBox="0 0 ${wide?.width ?? width} ${wide?.height ?? height}" role="img" aria-labelledby="${id}-title ${id}-desc">
    <title id="${id}-title">${title}</title>
    <desc id="${id}-desc">${description}</desc>
    ${drawing}
  </svg>
  <details>
    <summary>Figures</summary>
    ${table(heads, rows)}
  </details>
</figure>`

export const table = (
  heads: readonly string[],
  rows: readonly (readonly (string | number | Markup)[])[],
): Markup => html`
<table>
  <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
  <tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => (typeof cell === 'number' ? html`<td class="number">${cell}</td>` : html`<td>${cell}</td>`))}</tr>`)}</tbody>
</table>`

/** Lines across with their values at the left. */
export const grid = (values: readonly number[], y: (value: number) => number): Markup => html`
<g class="grid">${values.map((value) => html`<line x1="${area.left}" x2="${area.right}" y1="${y(value)}" y2="${y(value)}"${value === 0 ? html` class="axis"` : null}/><text x="${area.left - 10}" y="${y(value) + 6}" text-anchor="end">${value}</text>`)}</g>`

export const nothing = (text: string): Markup =>
  html`<text class="nothing" x="${width / 2}" y="${(area.top + area.bottom) / 2}" text-anchor="middle">${text}</text>`
