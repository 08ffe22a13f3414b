import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** The system takes some 100 bytes as a socket's path. */
const longest = 100

/** Where a Unix socket of the folder is: below one with a long path it is in a temporary folder, private as well. */
export const privateSocket = (folder: string, name: string): { path: string; remove(): void } => {
  const path = resolve(folder, name)
  if (Buffer.byteLength(path) <= longest) return { path, remove: () => rmSync(path, { force: true }) }
  const temporary = mkdtempSync(join(tmpdir(), 'steward-'))
  return { path: join(temporary, name), remove: () => rmSync(temporary, { recursive: true, force: true }) }
}
