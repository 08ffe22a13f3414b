import { html, type Markup } from '../markup.ts'
import { round } from './scale.ts'

const radius = 52
const around = 2 * Math.PI * radius

/** The score as a ring that is closed at 100. */
export const scoreRing = (score: number): Markup => {
  const level = score >= 80 ? 'safe' : score >= 50 ? 'risk' : 'danger'
  return html`
<svg class="ring" viewBox="0 0 128 128" role="img" aria-label="Score ${score} of 100">
  <circle class="track" cx="64" cy="64" r="${radius}"/>
  ${score === 0 ? null : html`<circle class="arc ${level}" cx="64" cy="64" r="${radius}" stroke-dasharray="${round((score / 100) * around)} ${round(around)}" transform="rotate(-90 64 64)"/>`}
  <text class="score" x="64" y="72" text-anchor="middle">${score}</text>
  <text class="of" x="64" y="90" text-anchor="middle">of 100</text>
</svg>`
}
