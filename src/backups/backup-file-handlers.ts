import { beginFor } from '../access/committed.ts'
import { requireHighestRank } from '../access/seniority.ts'
import { requireStepUp } from '../access/step-up.ts'
import type { Db } from '../db/client.ts'
import type { BackupFilesHandlers } from '../generated/operations.ts'
import { backupFiles } from './backup-records.ts'
import type { Backups } from './backups.ts'

export interface BackupFilesOptions {
  db: Db
  backups: Pick<Backups, 'open' | 'contents' | 'remove'>
}

/** Backup files: what they contain, copies for elsewhere, deletion. */
export const backupFilesHandlers = ({ db, backups }: BackupFilesOptions): BackupFilesHandlers => ({
  listBackupFiles: ({ query: { cursor, limit } }) =>
    backupFiles(db, { ...(cursor !== undefined && { cursor }), limit }),

  async deleteBackup({ params: { id }, user }) {
    await requireHighestRank(db, user)
    await requireStepUp(db, user)
    await beginFor(db, user)
    await backups.remove(id)
    return null
  },

  getBackupContents: ({ params: { id } }) => backups.contents(id),

  async downloadBackup({ params: { id }, user }) {
    // A file contains every user's password hash, including those of users with a higher rank.
    await requireHighestRank(db, user)
    await requireStepUp(db, user)
    const { path, size, body } = await backups.open(id)
    return {
      body,
      headers: {
        'content-length': String(size),
        'content-disposition': `attachment; filename="${path}"`,
        'cache-control': 'no-store',
      },
    }
  },
})
