import { AppError, type FieldProblem } from './errors.ts'
import { reasonsOf } from './reason-table.ts'

/** Why the service as a whole refuses or fails, whatever was asked for. */
export const reasons = reasonsOf('service', {
  busy: { kind: 'unavailable', text: 'too many requests at once: try again in a moment' },
  client_gone: { kind: 'unavailable', text: 'the client closed the connection' },
  database_away: { kind: 'unavailable', text: 'the database is not available' },
  internal: { kind: 'internal', text: 'internal error, request {request}' },
  invalid: { kind: 'invalid', text: 'the request is not valid' },
  log_away: { kind: 'unavailable', text: 'the operation log cannot be written now' },
  limited: { kind: 'limited', text: 'too many requests' },
  stopping: { kind: 'unavailable', text: 'the service is stopping' },
})

/** How many problems one answer names. */
const maxProblems = 20

/** Names in a body are the caller's; one that is absurdly long is not repeated whole. */
const maxFieldLength = 200

/** A request refused for its fields: the message and the reason are those of the first, the details name up to 20. */
export const invalidInput = (problems: readonly FieldProblem[]): AppError => {
  const details = problems
    .slice(0, maxProblems)
    .map((problem) => ({ ...problem, field: problem.field.slice(0, maxFieldLength) }))
  const [first] = details
  if (first === undefined) return reasons.invalid({ details })
  return new AppError('invalid', { ...first, message: `${first.field}: ${first.message}` }, { details })
}
