import { SuccessWithMessage } from '../contract/handler.ts'
import type { AppError } from '../failures/errors.ts'
import { isStatement, type Statement } from '../failures/statement.ts'
import { reasons } from './reasons.ts'
import type { RunReport } from './runs.ts'
import { statements } from './statements.ts'

/** The properties of a run that decide its response. */
type ReportedRun = Pick<
  RunReport,
  'runId' | 'total' | 'added' | 'updated' | 'moved' | 'disabled' | 'failed' | 'held' | 'problems'
> & {
  state: RunReport['state'] | 'planned' | 'discarded'
  /** Why a run is held, or a dry run would be; reports do not say it. */
  heldBecause?: readonly string[]
}

/**
 * The response for a run: a message about the remaining work.
 * @throws AppError upstream, with the report as its data, for a run that failed
 */
export const reportOrFailure = <R extends ReportedRun>(run: R): R | SuccessWithMessage<R> => {
  if (run.state === 'failed') throw failureOf(run)
  const message = messageOf(run)
  return message === null ? run : new SuccessWithMessage(run, message)
}

const failureOf = (run: ReportedRun): AppError => {
  return reasons.run_failed({ id: run.runId, problem: causeOf(run.problems.at(-1)) }, { data: run })
}

/** Reports of earlier versions have the text alone. */
const causeOf = (problem: ReportedRun['problems'][number] | undefined): Statement | string => {
  if (problem === undefined) return statements.unknown_cause()
  const { reason, advice, stated, advised } = problem
  if (!isStatement(stated)) return [reason, advice].filter(Boolean).join('. ')
  return isStatement(advised) && advice !== '' ? statements.with_advice({ problem: stated, advice: advised }) : stated
}

/** null: all of it is done. */
const messageOf = (run: ReportedRun): string | null => {
  const { runId, state, total, failed, held, heldBecause = [] } = run
  const at = `/api/v1/operations/runs/${runId}`
  if (state === 'held') {
    const made = run.added + run.updated + run.moved + run.disabled
    const written = made === 0 ? 'nothing was written' : `${made} ${made === 1 ? 'change was' : 'changes were'} made`
    return `held: ${written}; ${held} ${held === 1 ? 'change waits' : 'changes wait'} for a confirmation. See GET ${at}/changes, then POST ${at}/confirm or ${at}/discard`
  }
  if (state === 'running') return `run ${runId} is still running; see GET ${at}`
  const notices = [
    ...(state === 'planned' ? [`planned: nothing was written; see GET ${at}/changes`] : []),
    ...(state === 'planned' && heldBecause.length > 0 ? [`a run would be held: ${heldBecause.join('; ')}`] : []),
    ...(failed > 0 ? [`${failed} of ${total} records failed; problems says why`] : []),
  ]
  return notices.length === 0 ? null : notices.join('. ')
}
