import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// A folder that the worker processes share: the list of the test files in their order; for each that is taken a
// folder named after its place in the list. Making a folder succeeds for one process only.

const listName = 'files'

/** Makes the queue's folder in the system's temporary one. @param files paths, in the order in which they are taken */
export const makeQueue = (files: readonly string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-tests-'))
  writeFileSync(join(folder, listName), files.join('\n'))
  return folder
}

const filesOf = (folder: string): string[] => readFileSync(join(folder, listName), 'utf8').split('\n')

const placeOf = (folder: string, index: number): string => join(folder, String(index))

/** Gives each file that no other process has taken, until all are; the caller says whether it passed. */
export const takeFiles = function* (folder: string): Generator<{ file: string; pass: () => void }> {
  for (const [index, file] of filesOf(folder).entries()) {
    const place = placeOf(folder, index)
    try {
      mkdirSync(place)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw error
    }
    yield { file, pass: () => writeFileSync(join(place, 'passed'), '') }
  }
}

/** Those that were not taken, or failed, or whose process ended under them. */
export const notPassed = (folder: string): string[] =>
  filesOf(folder).filter((_, index) => !existsSync(join(placeOf(folder, index), 'passed')))
