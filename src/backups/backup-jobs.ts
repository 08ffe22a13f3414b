import type { Job } from '../jobs/schedule.ts'
import type { Backups } from './open-backups.ts'
import { reasons } from './reasons.ts'

/** Milliseconds between looks for files that have had their time. */
const hour = 3_600_000

/**
 * The automatic backup: one that was missed is made up for, one that failed is tried again. And the end of what has had
 * its time.
 * @param cron null: none is made by itself
 */
export const backupJobs = (
  backups: Pick<Backups, 'create' | 'tidy'>,
  { cron, timeZone }: { cron: string | null; timeZone: string },
): Job[] => {
  const run = async (): Promise<void> => {
    const { id, status } = await backups.create({ type: 'auto', creator: 'schedule' })
    if (status !== 'success') throw reasons.failed({ id })
  }
  return [
    ...(cron === null ? [] : [{ name: 'backup', cron, timeZone, run }]),
    { name: 'expire backups', interval: hour, run: backups.tidy },
  ]
}
