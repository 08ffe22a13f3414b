import { beginFor } from '../access/committed.ts'
import { requireHighestRank } from '../access/seniority.ts'
import { requireStepUp } from '../access/step-up.ts'
import type { Db } from '../db/client.ts'
import type { BackupsHandlers } from '../generated/security.ts'
import { displayTime } from '../text/display.ts'
import { allBackups, backupRecord } from './backup-records.ts'
import type { Backups } from './backups.ts'

export interface BackupsOptions {
  db: Db
  backups: Pick<Backups, 'create' | 'restore'>
  timeZone: string
}

/** Backups and restores. */
export const backupsHandlers = ({ db, backups, timeZone }: BackupsOptions): BackupsHandlers => ({
  listBackups: async () => ({ backups: allBackups(db, timeZone) }),

  async createBackup({ body: { type }, user }) {
    await beginFor(db, user)
    return backupRecord(await backups.create({ type, creator: user.username }), timeZone)
  },

  async restoreBackup({ params: { id }, user }) {
    await requireHighestRank(db, user)
    await requireStepUp(db, user)
    const { backupId, safetyBackupId, rows, at } = await backups.restore(id, user.username, user)
    return { backupId, safetyBackupId, rows, time: displayTime(at, timeZone) }
  },
})
