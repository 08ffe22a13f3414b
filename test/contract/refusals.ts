import { reasonsOf } from '../../src/failures/reason-table.ts'

/** Why the services of the contracts in test/fixtures/contract refuse. */
export const refusals = reasonsOf('library', {
  sign_in: { kind: 'unauthenticated', text: 'sign in first' },
  not_granted: { kind: 'forbidden', text: 'your roles do not grant this' },
  taken: { kind: 'conflict', text: 'is taken' },
  no_book: { kind: 'not_found', text: 'no such book' },
  archive: { kind: 'upstream', text: 'the archive refused' },
  wait: { kind: 'limited', text: 'wait' },
  renewed: { kind: 'conflict', text: 'already renewed' },
  database_away: { kind: 'unavailable', text: 'the database is not available' },
  no_books_today: { kind: 'unavailable', text: 'no books today' },
  painting: { kind: 'unavailable', text: 'the shelf is being painted' },
})
