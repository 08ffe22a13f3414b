import { existsSync, mkdirSync, statSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Only the owner can look into a folder of ours. */
const mode = 0o700

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** The folder that has to be made first; null: there is one, and the file system refuses another in it. */
const missingAbove = (folder: string): string | null => (existsSync(dirname(folder)) ? null : dirname(folder))

/**
 * Makes a folder and those above it, unless they exist. Not by the option `recursive` of `mkdir`: Node.js tries for ever,
 * at the cost of one processor, where a file system answers ENOENT for a new folder in an existing one, as `/proc` does,
 * and a folder of automounts for a server that it does not know.
 * @throws Error of the file system
 */
export const makeFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder, { mode })
  } catch (error) {
    if (!isMissing(error)) {
      const found = await stat(folder).catch(() => null)
      if (found?.isDirectory()) return
      throw error
    }
    const above = missingAbove(folder)
    if (above === null) throw error
    await makeFolder(above)
    await makeFolder(folder)
  }
}

/** The same for a start and for commands, where nothing else is to be served. */
export const makeFolderSync = (folder: string): void => {
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if (!isMissing(error)) {
      if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
      throw error
    }
    const above = missingAbove(folder)
    if (above === null) throw error
    makeFolderSync(above)
    makeFolderSync(folder)
  }
}
