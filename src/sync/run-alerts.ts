import { alertOf } from '../alerts/alert.ts'
import type { Outbox } from '../alerts/notifications/outbox.ts'
import { raiseAlerts } from '../alerts/raise-alerts.ts'
import type { OnDeadRuns, OnEndedRun } from './lease.ts'
import { stopped } from './problems.ts'
import { statements } from './statements.ts'

/**
 * Raises an alert for a run that fails or is held. Dry runs change nothing, so they raise none; nor does a run that a
 * stop of the service ended.
 */
export const endedRunAlerts =
  (outbox: Outbox): OnEndedRun =>
  async (tx, { dryRun, ...run }, { state, heldBecause = [], problems = [] }) => {
    const last = problems.at(-1)
    if (dryRun || last === stopped) return
    if (state === 'held') await raiseAlerts(tx, outbox, [alertOf('runHeld', { ...run, because: heldBecause })])
    if (state !== 'failed') return
    const reason = last?.stated ?? statements.see_report()
    await raiseAlerts(tx, outbox, [alertOf('runFailed', { ...run, reason })])
  }

/** Raises the alert of a failed run whose instance is gone and cannot raise it. */
export const deadRunAlerts =
  (outbox: Outbox): OnDeadRuns =>
  async (tx, dead) => {
    const failed = dead.filter(({ dryRun }) => !dryRun)
    await raiseAlerts(
      tx,
      outbox,
      failed.map((run) => alertOf('runFailed', { ...run, reason: statements.broken_off() })),
    )
  }
