import type { Statement } from '../../failures/statement.ts'
import { type Reading, SourceError } from '../source.ts'
import { statements } from '../statements.ts'

/** The scope of an app that does not see the whole organisation. */
export interface Scope {
  departments: string[]
  /** The ids of people who were added to the scope individually. */
  people: string[]
}

/**
 * Reports what is missing in a snapshot of these departments alone.
 * @throws SourceError when the list is empty: the organisation cannot be read then
 */
export const reportScope = (
  platform: string,
  { departments, people }: Scope,
  advice: Statement,
  gap: Reading['gap'],
): void => {
  if (departments.length === 0)
    throw new SourceError(statements.no_department_visible({ platform }), {
      advised: statements.let_app_see({ advice }),
    })
  gap(statements.part_in_range({ departments: departments.length, advice }), departments)
  if (people.length > 0) gap(statements.people_one_by_one({ people: people.length, advice }), people)
}
