import { readFileSync } from 'node:fs'

/** The files and connections that this process may have open; null: the system does not say, or has no limit. */
export const mostOpenFiles = (): number | null => {
  try {
    const [, most] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return most === undefined ? null : Number(most)
  } catch {
    return null
  }
}
