import type { RunProblem } from '../db/schema.ts'
import { isUnavailable } from '../db/unavailable.ts'
import { AppError } from '../failures/errors.ts'
import type { Statement } from '../failures/statement.ts'
import { statementOf } from '../failures/statement-table.ts'
import { DirectoryError } from '../ldap/directory-error.ts'
import { SourceError } from '../sources/source.ts'
import { statements } from './statements.ts'

/** The most problems in a report; the counts include all of them. */
export const problemsKept = 100

interface Problem {
  /** Empty: the problem is of the whole run. */
  sourceId?: string
  name?: string
  step: string
  stated: Statement
  advised: Statement
}

/** A problem for a report, as text and in a form that can be translated. */
export const problem = ({ sourceId = '', name = '', step, stated, advised }: Problem): RunProblem => ({
  ...{ sourceId, name, step, stated, advised },
  reason: stated.text,
  advice: advised.text,
})

/** The text for a run that ended because its instance stopped normally. */
export const stopped = problem({ step: 'run', stated: statements.stopped(), advised: statements.start_again() })

/** The text in the report of a run whose instance is gone. */
export const brokenOff = problem({ step: 'run', stated: statements.broken_off(), advised: statements.start_again() })

/** The text of a run that failed; an error that is not meant for clients stays in the log. */
export const problemOf = (error: unknown): RunProblem => {
  const again = statements.start_again_later()
  if (error instanceof SourceError)
    return problem({ step: 'reading', stated: error.stated, advised: error.advised ?? again })
  return problem({ step: 'run', stated: failureStated(error), advised: again })
}

/** Why a run failed, for clients. */
export const failureStated = (error: unknown): Statement => {
  if (error instanceof SourceError) return error.stated
  if (error instanceof AppError) return statementOf(error)
  if (error instanceof DirectoryError) return statements.directory_said({ problem: error.stated })
  return isUnavailable(error) ? statements.database_away() : statements.internal()
}
