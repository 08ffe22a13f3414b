import { readFileSync, writeFileSync } from 'node:fs'

/** The release that a rolling upgrade starts from. */
export interface PreviousRelease {
  /** Its tag; before the first release a commit. */
  ref: string
  /** The newest migration that it has. */
  migration: string
}

const file = new URL('previous.json', import.meta.url)

export const previousRelease = (): PreviousRelease => JSON.parse(readFileSync(file, 'utf8')) as PreviousRelease

export const writePreviousRelease = (release: PreviousRelease): void =>
  writeFileSync(file, `${JSON.stringify(release, null, 2)}\n`)
