import type { DeviceFacts } from '../../evidence/facts.ts'
import { html, type Markup } from '../markup.ts'
import { frame, nothing } from './frame.ts'
import { round } from './scale.ts'

const left = 132
const right = 580
const pitch = 54
const thickness = 26

/** The number of devices in each state, and of those with a low battery. */
export const deviceStates = ({ total, offline, lowBattery, silent }: DeviceFacts): Markup => {
  const states = [
    { label: 'online', className: 'safe', count: total - offline - silent },
    { label: 'silent', className: 'warning', count: silent },
    { label: 'offline', className: 'danger', count: offline },
    { label: 'low battery', className: 'warning', count: lowBattery },
  ]
  const bar = ({ label, className, count }: (typeof states)[number], index: number): Markup => {
    const middle = 22 + index * pitch
    const wide = (count / total) * (right - left)
    return html`
    <text x="${left - 14}" y="${middle + 6}" text-anchor="end">${label}</text>
    <rect class="track" x="${left}" y="${middle - thickness / 2}" width="${right - left}" height="${thickness}" rx="3"/>
    ${count === 0 ? null : html`<rect class="${className}" x="${left}" y="${middle - thickness / 2}" width="${round(wide)}" height="${thickness}" rx="3"/>`}
    <text class="count" x="${right + 14}" y="${middle + 6}">${count}</text>`
  }
  return frame({
    id: 'device-states',
    title: total === 0 ? 'Devices' : `Devices (${total})`,
    description: `Of ${total}: ${states.map(({ label, count }) => `${count} ${label}`).join(', ')}.`,
    drawing: total === 0 ? nothing('No device is registered') : html`<g>${states.map(bar)}</g>`,
    heads: ['State', 'Devices'],
    rows: states.map(({ label, count }) => [label, count]),
  })
}
