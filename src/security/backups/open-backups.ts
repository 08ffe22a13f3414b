import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isNull, sql } from 'drizzle-orm'
import type { Database, Tx } from '../../db/client.ts'
import { mailCodes, sessions, stepUpCodes } from '../../db/schema.ts'
import { committedChange } from '../../directory/committed.ts'
import type { PrincipalScope, Principals } from '../../directory/principals.ts'
import { AppError } from '../../errors.ts'
import { errorRecord, type Logger } from '../../log.ts'
import type { RaiseAlarm } from '../alerts/alarm.ts'
import { BackupFileError } from './file-error.ts'
import { openFolder } from './folder.ts'
import { followEverything } from './follow.ts'
import { type Backup, type BackupRequest, backupLedger } from './ledger.ts'
import { loadBackup } from './load.ts'
import type { Manifest } from './manifest.ts'
import { type ReadBackup, readBackup } from './read.ts'
import { isAboutFile, reasonOf } from './reason.ts'
import { extentOf } from './restored-tables.ts'
import { expired } from './retention.ts'
import { refuseNewer, schemaVersion } from './schema-version.ts'
import { withSecondFactorsKept } from './second-factors-kept.ts'
import { writeBackup } from './write.ts'

export interface Restored {
  backupId: number
  /** The backup of what was there before. */
  safetyBackupId: number
  /** Rows that were loaded. */
  rows: number
  at: Date
}

export interface Backups {
  /**
   * Makes a backup, or joins the one under way on any instance. Resolves when it is one: `success`, proven by reading
   * it back, or `failed`.
   */
  create(request: BackupRequest): Promise<Backup>
  /**
   * Replaces the data by what a backup holds, after a backup of what is there; ends all sessions; the directory follows.
   * @throws AppError not_found, or conflict saying what is wrong with the file; then all is as it was
   */
  restore(id: number, creator: string): Promise<Restored>
  /** Where a proven backup's file is. @throws AppError not_found */
  file(id: number): Promise<Backup & { file: string }>
  /** Removes files that have had their time, and what was left by an instance that is gone. */
  tidy(): Promise<void>
}

export interface BackupsOptions {
  database: Pick<Database, 'db' | 'kind'>
  principals: Pick<Principals, 'announce' | 'drop'>
  /** BACKUP_DIR */
  folder: string
  /** BACKUP_KEY: the present one, which new files are encrypted with, then those it replaced; empty: no encryption. */
  secrets: readonly string[]
  timeZone: string
  alarm: RaiseAlarm
  log: Logger
  /** Puts in place what a start puts in place: data from before an update lacks what came with it. */
  seed: () => Promise<unknown>
}

/** Milliseconds between looks at a backup that another makes. */
const lookInterval = 250

export const openBackups = (options: BackupsOptions): Backups => {
  const { database, principals, secrets, timeZone, alarm, log, seed } = options
  const { db } = database
  const folder = openFolder(options.folder)
  const ledger = backupLedger({ db, owner: randomUUID(), sole: database.kind === 'embedded' })
  const change = committedChange({ db, principals })
  const [secret = null] = secrets

  const read = ({ path }: Backup): Promise<ReadBackup> => readBackup({ file: folder.at(path), secrets })

  const find = async (id: number): Promise<Backup> => {
    const backup = await ledger.find(id)
    if (backup === null) throw new AppError('not_found', `id: there is no backup ${id}`)
    return backup
  }

  const failed = async ({ id, path }: Backup, error: unknown): Promise<void> => {
    const reason = reasonOf(error)
    log.error({ error: errorRecord(error), backup: id }, `a backup failed: ${reason}`)
    await folder.remove(path).catch(() => {})
    await ledger.fail(id, reason)
    await alarm({
      cause: 'backup failed',
      title: 'A backup failed',
      description: `Backup ${id} failed: ${reason}. Earlier backups are untouched.`,
      level: 'danger',
    })
  }

  /** What instances that are gone left behind. */
  const clearAway = async (): Promise<void> => {
    for (const backup of await ledger.abandoned()) {
      await failed(backup, new BackupFileError('the instance that made it is gone'))
    }
    // In this order: a draft that is there now belongs to a backup whose record was there before.
    const drafts = await folder.drafts()
    const underWay = new Set((await ledger.underWay()).map(({ path }) => path))
    for (const path of drafts) if (!underWay.has(path)) await folder.removeDraft(path)
  }

  /** null: another backup is under way. */
  const make = async (request: BackupRequest): Promise<Backup | null> => {
    await clearAway().catch((error: unknown) => {
      log.warn({ error: errorRecord(error) }, 'what was left of earlier backups could not be cleared away')
    })
    const backup = await ledger.begin({ ...request, encrypted: secret !== null })
    if (backup === null) return null
    const { id, path } = backup
    const release = ledger.keep(id)
    try {
      log.debug({ backup: id, phase: 'writing' }, 'a backup is being made')
      await folder.add(path, (draft) => writeBackup(db, { file: draft, secret }))
      log.debug({ backup: id, phase: 'proving' }, 'a backup is being read back')
      const { size, sha256 } = await read(backup)
      log.debug({ backup: id, phase: 'recording' }, 'a backup has been proven')
      await ledger.succeed(id, { size, sha256 })
      log.info({ backup: id, path, size }, 'a backup was made and proven')
    } catch (error) {
      await failed(backup, error)
    } finally {
      release()
    }
    return find(id)
  }

  const ended = async (id: number): Promise<Backup> => {
    for (;;) {
      const backup = await find(id)
      if (backup.status !== 'running') return backup
      await clearAway()
      await sleep(lookInterval)
    }
  }

  const usable = async (id: number): Promise<Backup> => {
    const backup = await find(id)
    if (backup.status !== 'success')
      throw new AppError('conflict', `backup ${id} is none: its status is ${backup.status}`)
    if (backup.expired) throw new AppError('not_found', `id: the file of backup ${id} has had its time and was removed`)
    return backup
  }

  const makeSafe = async (creator: string): Promise<Backup> => {
    for (;;) {
      // Of a day's automatic backups the last is kept: this one, of data that somebody wants replaced, is not to be it.
      const made = await make({ type: 'manual', creator })
      if (made?.status === 'success') return made
      if (made !== null) {
        throw new AppError('conflict', `nothing was restored: the backup of what is there (${made.id}) failed`)
      }
      for (const { id } of await ledger.underWay()) await ended(id)
    }
  }

  const replace = (backup: Backup): Promise<{ read: ReadBackup; callers: PrincipalScope }> =>
    change(async (tx) => {
      const read = await withSecondFactorsKept(tx, () => loadBackup(tx, { file: folder.at(backup.path), secrets }))
      refuseOther(backup, read)
      await endAllSessions(tx)
      await followEverything(tx)
      log.debug({ backup: backup.id, phase: 'committing' }, 'a backup has been loaded')
      return { read, callers: { all: true } }
    })

  return {
    async create(request) {
      for (;;) {
        const made = await make(request)
        if (made !== null) return made
        const [other] = await ledger.underWay()
        if (other) return ended(other.id)
      }
    },

    async restore(id, creator) {
      const backup = await usable(id)
      try {
        log.debug({ backup: id, phase: 'verifying' }, 'a backup is being verified')
        const verified = await read(backup)
        refuseOther(backup, verified)
        refuseNewer(verified.manifest.schema, await schemaVersion(db))
        log.debug({ backup: id, phase: 'safety' }, 'a backup is made before another is restored')
        const safety = await makeSafe(creator)
        log.debug({ backup: id, phase: 'loading' }, 'a backup is being loaded')
        const { manifest } = (await replace(backup)).read
        log.warn({ backup: id, safety: safety.id, by: creator, phase: 'restored' }, 'a backup was restored')
        await seed()
        return { backupId: id, safetyBackupId: safety.id, rows: rowsOf(manifest), at: new Date() }
      } catch (error) {
        if (error instanceof AppError || !isAboutFile(error)) throw error
        throw new AppError('conflict', `backup ${id} cannot be restored: ${reasonOf(error)}`, { cause: error })
      }
    },

    async file(id) {
      const backup = await usable(id)
      return { ...backup, file: folder.at(backup.path) }
    },

    async tidy() {
      await clearAway()
      const keepable = (await ledger.proven()).map((backup) => ({ ...backup, at: backup.startedAt }))
      const over = new Set(expired(keepable, new Date(), timeZone))
      for (const { id, path } of keepable.filter((backup) => over.has(backup.id))) {
        await folder.remove(path)
        await ledger.expire(id)
        log.info({ backup: id, path }, 'a backup has had its time and was removed')
      }
    },
  }
}

const refuseOther = (backup: Backup, { sha256 }: ReadBackup): void => {
  if (sha256 !== backup.sha256) throw new BackupFileError('another file has taken its place')
}

/** Nobody goes on as whom he was, nor with a code that was sent to whom he was. */
const endAllSessions = async (tx: Tx): Promise<void> => {
  await tx.update(sessions).set({ endedAt: sql`now()`, endReason: 'restore' }).where(isNull(sessions.endedAt))
  await tx.delete(mailCodes)
  await tx.delete(stepUpCodes)
}

const rowsOf = ({ tables }: Manifest): number =>
  Object.entries(tables).reduce((sum, [name, { rows }]) => (extentOf(name) === 'all' ? sum + rows : sum), 0)
