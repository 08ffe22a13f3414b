import { SourceError } from '../source.ts'

/** What an app that does not see the whole organisation was given to see. */
export interface Scope {
  departments: string[]
  /** People who were given one by one. */
  people: number
}

/**
 * Says what a snapshot of these departments alone lacks.
 * @throws SourceError when there are none: nothing of the organisation can be read then
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
