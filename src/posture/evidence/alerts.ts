import { type Concern, when } from './concern.ts'
import { counted } from './wording.ts'

const list = 'GET /api/v1/security/alerts?handled=false'
const handle = 'POST /api/v1/security/alerts/{id}/handle'

export const alertsConcern: Concern = {
  id: 8,
  area: 'alerts',
  name: 'Alerts',
  description: 'Alerts that are not handled, and those of level danger that are overdue',
  details: ({ alerts: { open, openDanger, overdue } }) =>
    `${open} open, ${openDanger} of them danger, ${overdue} overdue`,
  figures: ({ alerts: { open, openDanger, overdue } }) => ({ open, openDanger, overdue }),
  find: ({ alerts: { open, openDanger, overdue } }) => [
    ...when(overdue > 0, () => ({
      kind: 'alertsOverdue',
      description: `${counted(overdue, 'danger alert')} ${overdue === 1 ? 'was' : 'were'} not handled within an hour.`,
      suggestion: `Read them (${list}), do what they require, then ${handle}.`,
      params: { count: overdue },
    })),
    ...when(openDanger > overdue, () => ({
      kind: 'alertsDanger',
      description: `${counted(openDanger - overdue, 'danger alert is', 'danger alerts are')} open, raised within the last hour.`,
      suggestion: `Handle them within the hour: ${list}, then ${handle}.`,
      params: { count: openDanger - overdue },
    })),
    ...when(open > openDanger, () => ({
      kind: 'alertsOpen',
      description: `${counted(open - openDanger, 'alert')} below danger ${open - openDanger === 1 ? 'is' : 'are'} open.`,
      suggestion: `Read them (${list}), then ${handle}.`,
      params: { count: open - openDanger },
    })),
  ],
}
