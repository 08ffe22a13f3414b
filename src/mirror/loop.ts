import type { Directory } from '../ldap/directory.ts'
import { DirectoryError, isUnavailable } from '../ldap/directory-error.ts'
import { steadyTime } from '../runtime/clock.ts'
import { errorRecord, type Logger } from '../runtime/log.ts'
import { traced } from '../tracing/span.ts'
import type { Availability } from './availability.ts'
import { type Comparison, logUncompared } from './comparison/comparison.ts'
import type { Outcome } from './plan/outcome.ts'
import type { Sleeper } from './sleeper.ts'
import type { RecordKind } from './touch.ts'
import type { Batches } from './writing/batches.ts'

export interface LoopOptions {
  directory: Pick<Directory, 'read'>
  batches: Pick<Batches, 'giveBackUnreleased' | 'resting' | 'isAnyDue' | 'everythingDue'>
  availability: Pick<Availability, 'ready' | 'pause'>
  /** Asks the directory again what it has refused to answer. @returns whether it has answered @throws DirectoryError */
  askAgain: () => Promise<boolean>
  comparison: Pick<Comparison, 'want' | 'isWanted' | 'giveUp'> & { compareEverything: () => Promise<unknown> }
  sleeper: Pick<Sleeper, 'sleep'>
  stopped: () => boolean
  /** Whether a run is in progress that counts what it does: then the loop leaves the work to it. */
  yields: () => boolean
  lost: (error: DirectoryError) => Promise<void>
  log: Logger
}

/** Milliseconds between searches for due records, for example records that another instance changed. */
const pollInterval = 1000
/** Milliseconds between checks of an idle connection, so that a replaced directory is noticed. */
const watchInterval = 5000

/** Processes all due records until it is stopped. It never throws. */
export const workLoop = async (options: LoopOptions): Promise<void> => {
  const { availability, comparison, sleeper, stopped, yields, lost, log } = options
  const round = openRounds(options)
  while (!stopped()) {
    const pause = availability.pause()
    if (pause > 0) {
      await sleeper.sleep(pause)
      if (availability.pause() > 0) continue
    }
    try {
      if (yields() || !(await round())) await sleeper.sleep(pollInterval)
    } catch (error) {
      if (isUnavailable(error)) await lost(error)
      else if (error instanceof DirectoryError) {
        // Due records are still processed, and the next comparison tries again.
        comparison.giveUp()
        logUncompared(log, error)
      } else {
        log.error({ error: errorRecord(error) }, 'the reconciler failed and tries again')
        await sleeper.sleep(pollInterval)
      }
    }
  }
}

/**
 * Processes everything that is due once. Users first: groups contain the DNs of people.
 * @returns whether there was anything to do
 */
const openRounds = ({ directory, batches, availability, askAgain, comparison, log }: LoopOptions) => {
  let watchedAt = Number.NEGATIVE_INFINITY
  const tell = (kind: RecordKind) => (outcomes: readonly Outcome[]) => {
    for (const one of outcomes) {
      if (one.result !== 'parked' && one.refusedByServer === undefined) continue
      log.warn({ kind, id: one.id, reason: one.error?.text }, 'the directory refused a record')
    }
  }
  return async (): Promise<boolean> => {
    await batches.giveBackUnreleased()
    await availability.ready()
    if (await askAgain()) comparison.want()
    const isDue = !batches.resting() && (await batches.isAnyDue())
    for (const kind of isDue ? (['user', 'group'] as const) : []) {
      const work = () => batches.everythingDue(kind, tell(kind))
      if (await traced('directory round', { attributes: { 'steward.kind': kind } }, work)) return true
    }
    if (steadyTime() - watchedAt > watchInterval) {
      watchedAt = steadyTime()
      await directory.read('', ['objectClass'])
    }
    if (!comparison.isWanted()) return false
    await comparison.compareEverything()
    return true
  }
}
