import { ConfigError } from './errors.ts'

/** What a file system answers for a place that cannot be used, whatever is to be written. */
const unusable: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST', 'ELOOP'])

/**
 * Does work that makes or writes a folder of DATA_DIR at the start.
 * @throws ConfigError naming DATA_DIR where the folder cannot be made or written; other errors of the work as they are
 */
export const inDataFolder = <T>(folder: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
    if (!unusable.has(code)) throw error
    throw new ConfigError([
      `DATA_DIR: ${folder} cannot be created or written to (${code}); give the user that Steward runs as write access, or set DATA_DIR`,
    ])
  }
}
