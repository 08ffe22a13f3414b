import { and, desc, isNull, lt, ne } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { batchSize, newestFirst } from '../db/paging.ts'
import { backups } from '../db/schema.ts'
import type { components } from '../generated/security.types.ts'
import { displayTime } from '../text/display.ts'
import type { Backup } from './backup-registry.ts'
import { sizeText } from './size-text.ts'

export type BackupRecord = components['schemas']['BackupRecord']

const labels = { auto: 'Automatic backup', manual: 'Manual backup' } as const

type Shown = Pick<Backup, 'id' | 'type' | 'status' | 'path' | 'size' | 'startedAt'>

/** A backup that has ended, in the shape of the contract. */
export const backupRecord = ({ id, type, size, startedAt, status, path }: Shown, timeZone: string): BackupRecord => ({
  id,
  type: labels[type],
  size: sizeText(size),
  time: displayTime(startedAt, timeZone),
  status: status === 'success' ? 'success' : 'failed',
  path,
})

/** Those that have ended, the newest first, without those whose files were removed by the retention. */
export const allBackups = (db: Db, timeZone: string): AsyncGenerator<BackupRecord[], void, undefined> => {
  const { id, type, size, startedAt, status, path } = backups
  return newestFirst(async (before) => {
    const rows = await db
      .select({ id, type, size, startedAt, status, path })
      .from(backups)
      .where(and(lt(id, before), ne(status, 'running'), isNull(backups.expiredAt)))
      .orderBy(desc(id))
      .limit(batchSize)
    return rows.map((row) => backupRecord(row, timeZone))
  })
}
