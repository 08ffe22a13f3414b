import { html, type Markup } from '../markup.ts'
import { area, frame, grid } from './frame.ts'
import { dayLabel, round } from './scale.ts'

export interface ScoreLineOptions {
  /** The oldest first; the last is the present one. */
  scores: readonly { at: Date; score: number }[]
  display: (at: Date) => string
}

/** The score over time, on a linear time axis. */
export const scoreLine = ({ scores, display }: ScoreLineOptions): Markup => {
  const first = scores[0]?.at.getTime() ?? 0
  const last = scores.at(-1)?.at.getTime() ?? 0
  const y = (score: number): number => round(area.bottom - (score / 100) * (area.bottom - area.top))
  // Room at the right for the present figure.
  const right = area.right - 52
  const x = (at: Date): number =>
    last === first
      ? round((area.left + right) / 2)
      : round(area.left + 8 + ((at.getTime() - first) / (last - first)) * (right - area.left - 8))
  const points = scores.map(({ at, score }) => `${x(at)},${y(score)}`)
  const now = scores.at(-1)
  const begin = scores[0]
  return frame({
    id: 'score-history',
    title: 'Score',
    description: `${scores.length} measurements, from ${begin?.score ?? 0} to ${now?.score ?? 0}.`,
    drawing: html`
    ${grid([0, 25, 50, 75, 100], y)}
    ${points.length > 1 ? html`<polyline class="line" points="${points.join(' ')}"/>` : null}
    ${scores.map(({ at, score }) => html`<circle class="point" cx="${x(at)}" cy="${y(score)}" r="${scores.length > 40 ? 2.5 : 4.5}"><title>${display(at)}: ${score}</title></circle>`)}
    ${now === undefined ? null : html`<text class="value" x="${x(now.at) + 12}" y="${y(now.score) + 7}">${now.score}</text>`}
    <g class="labels">
      ${begin === undefined || scores.length < 2 ? null : html`<text x="${area.left}" y="${area.bottom + 26}">${dayLabel(display(begin.at))}</text>`}
      ${now === undefined ? null : html`<text x="${x(now.at)}" y="${area.bottom + 26}" text-anchor="middle">now</text>`}
    </g>`,
    heads: ['Time', 'Score'],
    rows: scores.map(({ at, score }) => [display(at), score]),
  })
}
