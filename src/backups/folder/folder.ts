import { chmod, lstat, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { codeOf } from '../../failures/caught-error.ts'
import { makeFolder } from '../../files/make-folder.ts'
import { shellWord } from '../../text/shell-word.ts'
import { BackupFileError } from '../file/file-error.ts'
import { reasons } from '../reasons.ts'
import { isBackupPath } from './backup-path.ts'

/** The folder of the backup files, used by the service alone. A file appears in it complete or not at all. */
export interface BackupFolder {
  /** The path of a file. @throws AppError conflict for a path that leads out of the folder */
  at(path: string): string
  /** A new file: `write` fills a draft, which is renamed when it is complete. A failure leaves nothing behind. */
  add(path: string, write: (draft: string) => Promise<void>): Promise<void>
  remove(path: string): Promise<void>
  /** The backups that have drafts. Browsers and other programs give unfinished files the same ending. */
  drafts(): Promise<Draft[]>
  removeDraft(path: string): Promise<void>
}

export interface Draft {
  /** Of the backup that it is to become. */
  path: string
  /** Milliseconds since something was written to it. */
  idle: number
}

const suffix = '.part'

export const openFolder = (folder: string): BackupFolder => {
  const at = (path: string): string => {
    if (path === '' || path === '.' || path === '..' || basename(path) !== path) {
      throw reasons.path_outside()
    }
    return join(folder, path)
  }
  const draftOf = (path: string): string => `${at(path)}${suffix}`
  const remove = (file: string): Promise<void> => rm(file, { force: true })

  return {
    at,

    async add(path, write) {
      await makeFolder(folder).catch(asFolderError)
      await close(folder)
      try {
        await write(draftOf(path))
        await rename(draftOf(path), at(path))
        await syncFolder(folder)
      } catch (error) {
        // The first error is the one to report.
        await remove(draftOf(path)).catch(() => {})
        throw error
      }
    },

    remove: async (path) => remove(at(path)),

    async drafts() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      const paths = names
        .filter((name) => name.endsWith(suffix))
        .map((name) => name.slice(0, -suffix.length))
        .filter(isBackupPath)
      const found = await Promise.all(paths.map(async (path) => ({ path, writtenAt: await writtenAt(draftOf(path)) })))
      return found.flatMap(({ path, writtenAt: at }) => (at === null ? [] : [{ path, idle: Date.now() - at }]))
    },

    removeDraft: async (path) => remove(draftOf(path)),
  }
}

/** Whether a backup left it there, or the system that made the disk. */
const isOwn = (name: string): boolean =>
  isBackupPath(name) ||
  (name.endsWith(suffix) && isBackupPath(name.slice(0, -suffix.length))) ||
  name.startsWith('.') ||
  name === 'lost+found'

/**
 * Whether others may enter the folder and have something in it, as in `/tmp`: then it is not to be closed to them.
 * @throws Error of the file system
 */
export const isOfOthers = async (folder: string): Promise<boolean> => {
  const { mode } = await stat(folder)
  if (process.platform === 'win32' || (mode & 0o077) === 0) return false
  // The bit of folders that all users write to, even while it is empty.
  return (mode & 0o1000) !== 0 || !(await readdir(folder)).every(isOwn)
}

/**
 * Closes the folder to other users.
 * @throws BackupFileError where it is a folder of others: a process of root could close `/tmp`, or `/`, to all other users
 */
const close = async (folder: string): Promise<void> => {
  if (await isOfOthers(folder)) {
    throw new BackupFileError(
      `BACKUP_DIR is open to other users, and other files are in it: set it to a folder of its own, or run: chmod 700 ${shellWord(folder)}`,
    )
  }
  // A file system may have one mode for all, and refuse to be told it.
  if (((await stat(folder)).mode & 0o777) !== 0o700) await chmod(folder, 0o700).catch(asOwnerError)
}

const asOwnerError = (error: unknown): never => {
  if (codeOf(error) !== 'EPERM') throw error
  throw new BackupFileError(
    'BACKUP_DIR cannot be closed to other users, because it belongs to one of them: set it to a new folder in it',
    { cause: error },
  )
}

/** Milliseconds since 1970; null: it was renamed or removed meanwhile. */
const writtenAt = async (file: string): Promise<number | null> => {
  try {
    return (await lstat(file)).mtimeMs
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Of a file this code says something else. */
const asFolderError = (error: unknown): never => {
  if (codeOf(error) !== 'ENOENT') throw error
  throw new BackupFileError(
    'BACKUP_DIR cannot be created: the folder above it takes no new folders, or a link in its path leads nowhere',
    { cause: error },
  )
}

const syncFolder = async (folder: string): Promise<void> => {
  // Windows cannot open a folder for this, and does not need it.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
