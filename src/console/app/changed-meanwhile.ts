import { Failure } from './api.ts'

/** Whether the service refused a save, because the record is not the version that was read. */
export const isStale = (error: unknown): boolean => error instanceof Failure && error.reason === 'db.changed_meanwhile'

/** What a save fails with that is not sent, because another page or administrator has changed the record since. */
export const notSent = (): Failure =>
  new Failure('changed meanwhile', { code: 409, reason: 'console.changed_meanwhile' })

/** The service finds a change that comes between reading and writing. So many in a row do not happen by chance. */
const maxTries = 5

/** Repeats a save that begins with reading, while the service says that the record was changed since. @throws Failure */
export const retryWhileStale = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!isStale(error) || tries === maxTries) throw error
    }
  }
}

interface SaveOver<Now extends { version: string }, Saved> {
  /** The version that is replaced first: the one that was read. */
  version: string
  /** @throws Failure where the record is another version */
  save(version: string): Promise<Saved>
  /** Reads what is there now; undefined: it was deleted. */
  readNow(): Promise<Now | undefined>
  /** Whether what is there now is to be replaced. */
  wantsToReplace(now: Now): Promise<boolean>
}

/**
 * Saves over the version that was read, and over a later one only after that was shown and is to be replaced.
 * @throws Failure (console.changed_meanwhile) where it is to stay, (db.changed_meanwhile) where it was deleted
 */
export const saveOver = async <Now extends { version: string }, Saved>(
  options: SaveOver<Now, Saved>,
): Promise<Saved> => {
  const { save, readNow, wantsToReplace } = options
  let { version } = options
  for (;;) {
    try {
      return await save(version)
    } catch (error) {
      if (!isStale(error)) throw error
      const now = await readNow()
      if (now === undefined) throw error
      if (!(await wantsToReplace(now))) throw notSent()
      version = now.version
    }
  }
}
