import { readFileSync } from 'node:fs'

/** The files and connections that this process may have open; null: the system does not say, or has no limit. */
export const openFileLimit = (): number | null => {
  try {
    const [, max] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return max === undefined ? null : Number(max)
  } catch {
    return null
  }
}
