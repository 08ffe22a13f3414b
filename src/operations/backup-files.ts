import { open } from 'node:fs/promises'
import type { Db } from '../db/client.ts'
import { AppError } from '../errors.ts'
import type { BackupFilesHandlers } from '../generated/operations.ts'
import type { Backups } from '../security/backups/open-backups.ts'
import { requireStepUp } from '../security/second-factor/step-up.ts'

export interface BackupFilesOptions {
  db: Db
  backups: Pick<Backups, 'file'>
}

/** Backup files as they are on the disk, for who wants a copy elsewhere. */
export const backupFilesHandlers = ({ db, backups }: BackupFilesOptions): BackupFilesHandlers => ({
  async downloadBackup({ params: { id }, user }) {
    await requireStepUp(db, user)
    const { file, path } = await backups.file(id)
    const handle = await open(file).catch((error: unknown) => {
      throw new AppError('not_found', `id: the file of backup ${id} is not on this instance`, { cause: error })
    })
    const { size } = await handle.stat()
    return {
      body: handle.createReadStream(),
      headers: {
        'content-length': String(size),
        'content-disposition': `attachment; filename="${path}"`,
        'cache-control': 'no-store',
      },
    }
  },
})
