import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConfigError } from '../../failures/errors.ts'

/** A segment of PostgreSQL's log: where it does not fit any more, what was written of it is removed again. */
const segment = 16 * 1024 ** 2

/**
 * Why the embedded database cannot go on writing; null: its disk has enough space.
 * @param folder it, or one above it, exists
 */
export const lackOfSpace = (folder: string): string | null => {
  if (!existsSync(folder)) return lackOfSpace(dirname(folder))
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  return free > segment ? null : `the disk of ${folder} is full (${Math.floor(free / 1024 ** 2)} MB are free)`
}

/** The disk of DATA_DIR is full. */
export class DiskFullError extends ConfigError {
  /** Without the name of the setting. */
  readonly lack: string
  constructor(lack: string) {
    super([`DATA_DIR: ${lack}`])
    this.lack = lack
  }
}
