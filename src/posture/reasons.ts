import { reasonsOf } from '../failures/reason-table.ts'

/** Why the service is not ready, and what is not to be seen. */
export const reasons = reasonsOf('posture', {
  not_ready: { kind: 'unavailable', text: 'not ready: the {part} {problem}' },
  database_silent: { kind: 'unavailable', text: 'does not respond' },
  schema_outdated: { kind: 'unavailable', text: 'is not up to date' },
  log_stuck: { kind: 'unavailable', text: 'cannot be written, so nothing may be changed' },
  report_not_found: {
    kind: 'not_found',
    text: 'the report does not exist, or its address has expired: request a new report',
  },
})
