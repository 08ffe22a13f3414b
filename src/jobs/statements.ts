import { statementsOf } from '../failures/statement-table.ts'

/** Why periodic work failed, where its error is not meant for clients. */
export const statements = statementsOf('jobs', {
  internal: 'an internal error',
})
