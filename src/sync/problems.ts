import type { RunProblem } from '../db/schema.ts'
import { isUnavailable } from '../db/unavailable.ts'
import { AppError } from '../errors.ts'
import { DirectoryError } from '../ldap/directory-error.ts'
import { SourceError } from '../sources/source.ts'

/** The most problems in a report; the counts include all of them. */
export const problemsKept = 100

/** The text for a run that ended because its instance stopped normally. */
export const stopped: RunProblem = {
  sourceId: '',
  name: '',
  step: 'run',
  reason: 'the service was stopped',
  advice: 'Start it again: changes that were made are kept, and the rest is planned again',
}

/** The text of a run that failed; an error that is not meant for clients stays in the log. */
export const problemOf = (error: unknown): RunProblem => {
  const again = 'Start it again once the cause is gone; what it has done so far is kept'
  const at = { sourceId: '', name: '' }
  if (error instanceof SourceError)
    return { ...at, step: 'reading', reason: error.message, advice: error.advice || again }
  return { ...at, step: 'run', reason: reasonOf(error), advice: again }
}

const reasonOf = (error: unknown): string => {
  if (error instanceof DirectoryError || error instanceof AppError) return error.message
  return isUnavailable(error) ? 'the database went away' : 'an internal error'
}
