import { ConfigError } from '../errors.ts'

/** Whether another process has the embedded database or directory open. */
export const isInUse = (error: unknown): error is ConfigError =>
  error instanceof ConfigError && error.problems.some((problem) => /in use by another process/.test(problem))
