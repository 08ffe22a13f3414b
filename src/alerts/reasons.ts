import { reasonsOf } from '../failures/reason-table.ts'

/** Why an alert cannot be handled. */
export const reasons = reasonsOf('alerts', {
  alert_not_found: { kind: 'not_found', text: 'alert {id} does not exist' },
})
