import { randomBytes } from 'node:crypto'
import { currentTime } from '../../runtime/clock.ts'

/** `2026-01-31T03-00-00Z-1f3a9c.backup`: sorts by time, and no two are alike. */
export const newBackupPath = (): string => {
  const time = new Date(currentTime()).toISOString().replace(/\.\d+/, '').replaceAll(':', '-')
  return `${time}-${randomBytes(3).toString('hex')}.backup`
}

/** Whether `newBackupPath` made it. */
export const isBackupPath = (name: string): boolean =>
  /^\d{4,}-\d\d-\d\dT\d\d-\d\d-\d\dZ-[\da-f]{6}\.backup$/.test(name)
