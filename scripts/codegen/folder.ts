import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** How a folder differs from what it should hold: files to write, and files that should not be there. */
export interface Difference {
  stale: [file: string, content: string][]
  surplus: string[]
}

export const compareFolder = (folder: string, files: ReadonlyMap<string, string>): Difference => {
  const existing = existsSync(folder) ? readdirSync(folder) : []
  return {
    stale: [...files].filter(
      ([file, content]) => !existing.includes(file) || readFileSync(join(folder, file), 'utf8') !== content,
    ),
    surplus: existing.filter((file) => !files.has(file)),
  }
}

export const updateFolder = (folder: string, { stale, surplus }: Difference): void => {
  mkdirSync(folder, { recursive: true })
  for (const [file, content] of stale) writeFileSync(join(folder, file), content)
  for (const file of surplus) rmSync(join(folder, file))
}
