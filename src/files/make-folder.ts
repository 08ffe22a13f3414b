import { existsSync, mkdirSync, statSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '../failures/caught-error.ts'

/** Only the owner can look into a folder of ours. */
const mode = 0o700

const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT'

/** Makes a folder in one that exists, unless it is there. */
const makeOne = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder, { mode })
  } catch (error) {
    const found = isMissing(error) ? null : await stat(folder).catch(() => null)
    if (!found?.isDirectory()) throw error
  }
}

const makeOneSync = (folder: string): void => {
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    const found = isMissing(error) ? undefined : statSync(folder, { throwIfNoEntry: false })
    if (!found?.isDirectory()) throw error
  }
}

/**
 * Makes a folder and those above it, unless they exist. Not by the option `recursive` of `mkdir`: Node.js tries for ever,
 * at the cost of one processor, where a file system answers ENOENT for a new folder in an existing one, as `/proc` does,
 * and a folder of automounts for a server that it does not know. It is tried twice: another caller may make the folder
 * above between the first attempt and the look at it.
 * @throws Error of the file system
 */
export const makeFolder = async (folder: string): Promise<void> => {
  try {
    await makeOne(folder)
  } catch (error) {
    if (!isMissing(error)) throw error
    if (!existsSync(dirname(folder))) await makeFolder(dirname(folder))
    await makeOne(folder)
  }
}

/** The same for a start and for commands, where nothing else is to be served. */
export const makeFolderSync = (folder: string): void => {
  try {
    makeOneSync(folder)
  } catch (error) {
    if (!isMissing(error)) throw error
    if (!existsSync(dirname(folder))) makeFolderSync(dirname(folder))
    makeOneSync(folder)
  }
}
