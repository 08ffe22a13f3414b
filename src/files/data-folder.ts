import { accessSync, constants, existsSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../failures/caught-error.ts'
import { ConfigError } from '../failures/errors.ts'
import { shellWord } from '../text/shell-word.ts'
import { adviceFor, fileProblem } from './file-problem.ts'

/**
 * Names DATA_DIR and the file of it that cannot be used, and says why and what to do.
 * @param folder where the work was that failed
 * @returns a ConfigError; any error that is not of the file system as it is
 */
export const dataFolderProblem = (folder: string, error: unknown): unknown => {
  const problem = fileProblem(error)
  if (problem === null) return error
  const path: unknown = Reflect.get(error as Error, 'path')
  const place = typeof path === 'string' && path.startsWith(folder) ? path : folder
  return new ConfigError([
    `DATA_DIR: ${place} cannot be created or written to (${codeOf(error)}): it ${problem.text}; ${adviceFor(problem, 'DATA_DIR')}`,
  ])
}

/**
 * Does work that makes or writes a folder of DATA_DIR at the start.
 * @throws ConfigError naming DATA_DIR where the folder cannot be made or written; other errors of the work as they are
 */
export const inDataFolder = <T>(folder: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw dataFolderProblem(folder, error)
  }
}

/** What Steward keeps in DATA_DIR: all of it was written by the user that it ran as. */
const kept = ['secrets', 'postgres', 'directory', 'directory-certificate', 'operation-log', 'mail'] as const

const { R_OK, W_OK, X_OK } = constants

interface Refusal {
  path: string
  /** Whether the file system is read-only, so that no user may write there. */
  isReadOnly: boolean
}

/** null: it is not refused. */
const refusalOf = (path: string, mode: number): Refusal | null => {
  try {
    accessSync(path, mode)
    return null
  } catch (error) {
    // What is not there, or was removed meanwhile by a running service, is not refused.
    const code = codeOf(error)
    return code === 'EACCES' || code === 'EPERM' || code === 'EROFS' ? { path, isReadOnly: code === 'EROFS' } : null
  }
}

/** Only the owner, or root, may set the mode of a file, as is done for secrets. */
const isOfAnother = ({ uid }: Stats): boolean => ![0, uid].includes(process.getuid?.() ?? uid)

const forbiddenAt = (path: string, owned: boolean): Refusal | null => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  // Links and sockets are of processes that may have ended.
  if (found === undefined || !(found.isDirectory() || found.isFile())) return null
  const isFolder = found.isDirectory()
  if (owned && isOfAnother(found)) return { path, isReadOnly: false }
  const refused = refusalOf(path, isFolder ? R_OK | W_OK | X_OK : R_OK | W_OK)
  if (refused !== null) return refused
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

const firstOf = (paths: readonly string[], owned: boolean): Refusal | null => {
  for (const path of paths) {
    const forbidden = forbiddenAt(path, owned)
    if (forbidden !== null) return forbidden
  }
  return null
}

const firstForbidden = (dataDir: string): Refusal | null => {
  const refused = refusalOf(dataDir, X_OK)
  if (refused !== null || !existsSync(dataDir)) return refused
  for (const name of kept) {
    const forbidden = forbiddenAt(join(dataDir, name), name === 'secrets')
    if (forbidden !== null) return forbidden
  }
  return null
}

/**
 * The first file or folder that Steward keeps in DATA_DIR and this process may not read and change, and what to do.
 * @returns a text that names it, and advice without a full stop; null: it may read and change all
 */
export const forbiddenInDataFolder = (dataDir: string): { text: string; advice: string } | null => {
  const forbidden = firstForbidden(dataDir)
  if (forbidden === null) return null
  const { path, isReadOnly } = forbidden
  return isReadOnly
    ? { text: `${path} is on a file system that is read-only`, advice: 'mount it so that it can be written to' }
    : {
        text: `this user may not read and change ${path}`,
        advice: `give everything in the folder to the user that Steward runs as: chown -R … ${shellWord(dataDir)}`,
      }
}
