import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** How a folder differs from what it should hold: files to write, and files that should not be there. */
export interface Difference {
  stale: [file: string, content: string][]
  surplus: string[]
}

/** @param files their paths in the folder, and what they hold */
export const compareFolder = (folder: string, files: ReadonlyMap<string, string>): Difference => {
  const existing = filesIn(folder)
  return {
    stale: [...files].filter(
      ([file, content]) => !existing.includes(file) || readFileSync(join(folder, file), 'utf8') !== content,
    ),
    surplus: existing.filter((file) => !files.has(file)),
  }
}

const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    : []

export const updateFolder = (folder: string, { stale, surplus }: Difference): void => {
  for (const [file, content] of stale) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
  for (const file of surplus) rmSync(join(folder, file))
}

/** Brings a folder of the project to these files; with `check` it only says, by problems, how the folder differs. */
export const bringFolder = (
  project: string,
  folder: string,
  files: ReadonlyMap<string, string>,
  { check }: { check: boolean },
): string[] => {
  const path = join(project, folder)
  const difference = compareFolder(path, files)
  if (!check) {
    updateFolder(path, difference)
    return []
  }
  return [
    ...difference.stale.map(([file]) => `${folder}/${file} is stale: run npm run generate`),
    ...difference.surplus.map((file) => `${folder}/${file} should not be there: run npm run generate`),
  ]
}
