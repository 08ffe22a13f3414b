import { ConfigError } from '../errors.ts'

/** Whether something could not be opened because another process has the embedded database or directory. */
export const isInUse = (error: unknown): error is ConfigError =>
  error instanceof ConfigError && error.problems.some((problem) => /in use by another process/.test(problem))
