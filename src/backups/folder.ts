import { chmod, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { reasons } from './reasons.ts'

/** Where backup files are: a folder of the service's own, in which a file appears whole or not at all. */
export interface BackupFolder {
  /** Where a file of that name is. @throws AppError conflict for a path that leads out of the folder */
  at(path: string): string
  /** A new file: `write` fills a draft beside it, which then takes its place for good. Nothing is left when that fails. */
  add(path: string, write: (draft: string) => Promise<void>): Promise<void>
  remove(path: string): Promise<void>
  /** The files there are drafts of. */
  drafts(): Promise<string[]>
  removeDraft(path: string): Promise<void>
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
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await chmod(folder, 0o700)
      try {
        await write(draftOf(path))
        await rename(draftOf(path), at(path))
        await syncFolder(folder)
      } catch (error) {
        // The first error is the one to tell.
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
      return names.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length))
    },

    removeDraft: async (path) => remove(draftOf(path)),
  }
}

const syncFolder = async (folder: string): Promise<void> => {
  // Windows has no way to open a folder for this, and no need of it.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
