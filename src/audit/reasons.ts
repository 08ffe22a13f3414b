import { reasonsOf } from '../failures/reason-table.ts'

/** Why the operation log cannot be changed as asked. */
export const reasons = reasonsOf('audit', {
  entry_not_found: { kind: 'not_found', text: 'log entry {seq} does not exist' },
})
