import { and, desc, isNull, lt, ne, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { instantText, jsonObject } from '../db/json-record.ts'
import { batchSize, type IdCursor, idPage, newestFirst } from '../db/paging.ts'
import { backups } from '../db/schema.ts'
import type { components as operations } from '../generated/operations.types.ts'
import type { components } from '../generated/security.types.ts'
import { displayTime } from '../text/display.ts'
import type { Backup } from './backup-registry.ts'
import { sizeText } from './file/size-text.ts'

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

const file = jsonObject<operations['schemas']['BackupFile']>({
  id: backups.id,
  kind: backups.type,
  status: backups.status,
  startedAt: instantText(backups.startedAt),
  finishedAt: instantText(backups.finishedAt),
  size: backups.size,
  encrypted: backups.encrypted,
  creator: backups.creator,
  error: backups.error,
  path: backups.path,
})

/** A page of all that have a file or never got one, with the one in progress. */
export const backupFiles = async (db: Db, page: IdCursor): Promise<operations['schemas']['BackupPage']> => {
  const shown = isNull(backups.expiredAt)
  const { records, next } = await idPage(page, (before, count) =>
    db
      .select({ id: backups.id, file })
      .from(backups)
      .where(and(shown, lt(backups.id, before)))
      .orderBy(sql`${backups.id} desc`)
      .limit(count),
  )
  return { total: await db.$count(backups, shown), next, backups: records.map((each) => each.file) }
}
