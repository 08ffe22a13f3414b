import { reasonsOf } from '../failures/reason-table.ts'

/** Why the service is not ready, and what is not to be seen. */
export const reasons = reasonsOf('posture', {
  not_ready: { kind: 'unavailable', text: 'not ready: the {part} {problem}' },
  database_silent: { kind: 'unavailable', text: 'does not respond' },
  database_disk: { kind: 'unavailable', text: 'has a full disk' },
  database_memory: { kind: 'unavailable', text: 'has no memory left' },
  database_connections: { kind: 'unavailable', text: 'has no connection left' },
  database_changes: { kind: 'unavailable', text: 'accepts no changes' },
  schema_outdated: { kind: 'unavailable', text: 'is not up to date' },
  log_stuck: { kind: 'unavailable', text: 'cannot be written, so nothing may be changed' },
  report_not_found: {
    kind: 'not_found',
    text: 'the report does not exist, or its address has expired: request a new report',
  },
})
