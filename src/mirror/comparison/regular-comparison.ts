import { alertOf } from '../../alerts/alert.ts'
import type { Alerting } from '../../alerts/open-alerting.ts'
import { closeAlert } from '../../alerts/raise-alerts.ts'
import type { Db } from '../../db/client.ts'
import { AppError } from '../../failures/errors.ts'
import { DirectoryError } from '../../ldap/directory-error.ts'
import { resultCodes } from '../../ldap/result-code.ts'
import type { Mirror } from '../open-mirror.ts'
import { namesTold } from '../standing-alert.ts'
import { statements } from '../statements.ts'

export interface RegularComparisonOptions {
  db: Db
  mirror: Pick<Mirror, 'reconciler'>
  raise: Alerting['alerts']['raise']
}

/** The comparison of every DRIFT_INTERVAL, with alerts about what it cannot repair in the main directory. */
export const regularComparison =
  ({ db, mirror: { reconciler }, raise }: RegularComparisonOptions) =>
  async (): Promise<void> => {
    const { peopleWithoutRecord } = await reconciler.compareEverything().catch(async (error: unknown) => {
      const refusal = refusalOf(error)
      const advice = statements.let_read_all()
      if (refusal !== null) await raise(alertOf('comparisonRefused', { reason: refusal.stated, advice }))
      throw error
    })
    await closeAlert(db, 'comparisonRefused', {})
    const { total, names } = peopleWithoutRecord
    if (total === 0) return closeAlert(db, 'peopleWithoutRecord', {})
    await raise(alertOf('peopleWithoutRecord', { total, names: names.slice(0, namesTold) }))
  }

/** The answer of a directory that can be reached, and does not let all be read. */
const refusalOf = (error: unknown): DirectoryError | null => {
  const cause = error instanceof AppError ? error.cause : error
  if (!(cause instanceof DirectoryError) || !cause.answered) return null
  return cause.kind === 'refused' || cause.code === resultCodes.timeLimitExceeded ? cause : null
}
