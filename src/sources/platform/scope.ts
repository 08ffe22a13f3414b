import { SourceError } from '../source.ts'

/** The scope of an app that does not see the whole organisation. */
export interface Scope {
  departments: string[]
  /** People who were added to the scope individually. */
  people: number
}

/**
 * Reports what is missing in a snapshot of these departments alone.
 * @throws SourceError when the list is empty: the organisation cannot be read then
 */
export const reportScope = (
  platform: string,
  { departments, people }: Scope,
  advice: string,
  gap: (reason: string) => void,
): void => {
  if (departments.length === 0)
    throw new SourceError(`the app on ${platform} may see no department`, {
      advice: `Let the app see the organisation: ${advice}.`,
    })
  gap(`the app may only see part of the organisation (departments in its range: ${departments.length}): ${advice}`)
  if (people > 0) gap(`people whom the app was given to see one by one are not read (${people} of them): ${advice}`)
}
