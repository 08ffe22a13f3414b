import type { Job } from '../jobs/schedule.ts'
import type { Backups } from './backups.ts'
import { reasons } from './reasons.ts'

/** Milliseconds between checks for files past their retention. */
const hour = 3_600_000

/**
 * The automatic backup: a missed one is made up for, a failed one is retried. And the removal of files past their
 * retention.
 * @param cron null: no automatic backups
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
