import { sizeText } from '../../../backups/file/size-text.ts'
import { html, type Markup } from '../markup.ts'
import { frame } from './frame.ts'
import { dayLabel, round } from './scale.ts'

export interface BackupTimelineOptions {
  backups: readonly { at: Date; type: 'auto' | 'manual'; status: string; size: number }[]
  now: Date
  display: (at: Date) => string
}

const days = 30
const day = 86_400_000
const width = 1280
const height = 116
const left = 110
const right = width - 24
const lanes: Readonly<Record<'auto' | 'manual', { y: number; label: string }>> = {
  auto: { y: 28, label: 'Automatic' },
  manual: { y: 66, label: 'Manual' },
}

/** The times of the backups: a dot is a verified one, a cross a failed one. */
export const backupTimeline = ({ backups, now, display }: BackupTimelineOptions): Markup => {
  const start = now.getTime() - days * day
  const x = (at: number): number => round(left + ((at - start) / (days * day)) * (right - left))
  const mark = ({ at, type, status, size }: BackupTimelineOptions['backups'][number]): Markup => {
    const [cx, { y }] = [x(at.getTime()), lanes[type]]
    const title = html`<title>${display(at)}, ${lanes[type].label.toLowerCase()}: ${status === 'success' ? `proven, ${sizeText(size)}` : 'failed'}</title>`
    return status === 'success'
      ? html`<circle class="safe" cx="${cx}" cy="${y}" r="6">${title}</circle>`
      : html`<path class="cross" d="M${cx - 6} ${y - 6}l12 12m0 -12l-12 12">${title}</path>`
  }
  const weeks = [28, 21, 14, 7, 0].map((ago) => new Date(now.getTime() - ago * day))
  const proven = backups.filter(({ status }) => status === 'success').length
  return frame({
    id: 'backup-timeline',
    title: 'Backups',
    description: `In ${days} days: ${proven} proven, ${backups.length - proven} failed.`,
    legend: [
      { className: 'safe', label: 'proven' },
      { className: 'danger', label: 'failed' },
    ],
    wide: { width, height },
    drawing: html`
    <g class="grid">${Object.values(lanes).map(({ y, label }) => html`<line class="axis" x1="${left}" x2="${right}" y1="${y}" y2="${y}"/><text x="0" y="${y + 5}">${label}</text>`)}</g>
    ${backups.map(mark)}
    <g class="labels">${weeks.map((at) => html`<text x="${x(at.getTime())}" y="104" text-anchor="${at === weeks.at(-1) ? 'end' : 'middle'}">${at === weeks.at(-1) ? 'now' : dayLabel(display(at))}</text>`)}</g>
    ${backups.length === 0 ? html`<text class="nothing" x="${(left + right) / 2}" y="52" text-anchor="middle">No backup in ${days} days</text>` : null}`,
    heads: ['Time', 'Type', 'Outcome', 'Size'],
    rows: [...backups]
      .reverse()
      .map(({ at, type, status, size }) => [
        display(at),
        lanes[type].label,
        status === 'success' ? 'proven' : 'failed',
        status === 'success' ? sizeText(size) : '',
      ]),
  })
}
