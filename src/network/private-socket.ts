import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** The system accepts some 100 bytes as a socket's path. */
const longest = 100

/** The path of a Unix socket of the folder. If that path is too long, it is in a temporary folder, also private. */
export const privateSocket = (folder: string, name: string): { path: string; remove(): void } => {
  const path = resolve(folder, name)
  if (Buffer.byteLength(path) <= longest) return { path, remove: () => rmSync(path, { force: true }) }
  const temporary = mkdtempSync(join(tmpdir(), 'steward-'))
  return { path: join(temporary, name), remove: () => rmSync(temporary, { recursive: true, force: true }) }
}
