import { DirectoryError } from '../ldap/directory-error.ts'
import { reasons } from './reasons.ts'

/** The task; if the directory does not respond, the request is not at fault. */
export const reachable =
  <Args extends readonly unknown[], T>(task: (...args: Args) => Promise<T>) =>
  async (...args: Args): Promise<T> => {
    try {
      return await task(...args)
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      throw reasons.directory_silent({ problem: error.stated }, { cause: error })
    }
  }
