import { reasonsOf } from '../failures/reason-table.ts'

/** Why a stream is not opened, or its subject is not found. */
export const reasons = reasonsOf('live', {
  work_not_found: { kind: 'not_found', text: '{kind} {id} does not exist' },
  kind_required: { kind: 'invalid', text: 'is required together with id' },
  too_many_streams: { kind: 'limited', text: 'you have {count} streams open; close one of them first' },
  streams_full: { kind: 'unavailable', text: 'too many streams are open on this instance' },
})
