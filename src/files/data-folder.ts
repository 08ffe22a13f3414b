import { accessSync, constants, existsSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../failures/caught-error.ts'
import { ConfigError } from '../failures/errors.ts'

/** What a file system answers for a place that cannot be used, whatever is to be written. */
const unusable: ReadonlySet<string> = new Set([
  ...['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST', 'ELOOP', 'ENAMETOOLONG', 'EINVAL'],
  // Of Node.js: a path with a character NUL, which a file of the setting may hold.
  'ERR_INVALID_ARG_VALUE',
])

/**
 * Does work that makes or writes a folder of DATA_DIR at the start.
 * @throws ConfigError naming DATA_DIR where the folder cannot be made or written; other errors of the work as they are
 */
export const inDataFolder = <T>(folder: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined || !unusable.has(code)) throw error
    throw new ConfigError([
      `DATA_DIR: ${folder} cannot be created or written to (${code}); give the user that Steward runs as write access, or set DATA_DIR`,
    ])
  }
}

/** What Steward keeps in DATA_DIR: all of it was written by the user that it ran as. */
const kept = ['secrets', 'postgres', 'directory', 'directory-certificate', 'operation-log', 'mail'] as const

const { R_OK, W_OK, X_OK } = constants

const isRefused = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode)
    return false
  } catch (error) {
    // What is not there, or was removed meanwhile by a running service, is not refused.
    return ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')
  }
}

/** Only the owner, or root, may set the mode of a file, as is done for secrets. */
const isOfAnother = ({ uid }: Stats): boolean => ![0, uid].includes(process.getuid?.() ?? uid)

const forbiddenAt = (path: string, owned: boolean): string | null => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  // Links and sockets are of processes that may have ended.
  if (found === undefined || !(found.isDirectory() || found.isFile())) return null
  const isFolder = found.isDirectory()
  if ((owned && isOfAnother(found)) || isRefused(path, isFolder ? R_OK | W_OK | X_OK : R_OK | W_OK)) return path
  return isFolder
    ? firstOf(
        names(path).map((name) => join(path, name)),
        owned,
      )
    : null
}

const names = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const firstOf = (paths: readonly string[], owned: boolean): string | null => {
  for (const path of paths) {
    const forbidden = forbiddenAt(path, owned)
    if (forbidden !== null) return forbidden
  }
  return null
}

/** The first file or folder that Steward keeps in DATA_DIR and this process may not read and change; null: it may all. */
export const firstForbidden = (dataDir: string): string | null => {
  if (isRefused(dataDir, X_OK)) return dataDir
  if (!existsSync(dataDir)) return null
  for (const name of kept) {
    const forbidden = forbiddenAt(join(dataDir, name), name === 'secrets')
    if (forbidden !== null) return forbidden
  }
  return null
}
