// The room backups.
// Backups: writing, verifying, retention, restoring.
// It never trusts a file before its key or its manifest has authenticated it, and never turns its content into SQL.

import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor } from '../access/seniority.ts'
import { alertOf } from '../alerts/alert.ts'
import type { RaiseAlert } from '../alerts/alert-queue.ts'
import { codeOf } from '../caught-error.ts'
import type { Database } from '../db/client.ts'
import { LeaseLostError } from '../db/lease.ts'
import type { BackupFilesHandlers } from '../generated/operations.ts'
import type { components } from '../generated/operations.types.ts'
import type { BackupsHandlers } from '../generated/security.ts'
import type { Task, Tasks } from '../jobs/tasks.ts'
import { errorRecord } from '../log.ts'
import { isInstalled } from '../people/installed.ts'
import { backupFilesHandlers } from './backup-file-handlers.ts'
import { backupsHandlers } from './backup-handlers.ts'
import { type Backup, type BackupRequest, backupRegistry } from './backup-registry.ts'
import { failureText, isAboutFile } from './failure-text.ts'
import { BackupFileError, otherFile } from './file-error.ts'
import { openFolder } from './folder.ts'
import type { Trust } from './header.ts'
import { openProvenFile } from './proven-file.ts'
import { type ReadBackup, type ReadOptions, readBackup } from './read.ts'
import { reasons } from './reasons.ts'
import { extentOf } from './restored-tables.ts'
import { type RestorerOptions, restorer } from './restorer.ts'
import { expired } from './retention.ts'
import { refuseNewer, schemaVersion } from './schema-version.ts'
import { writeBackup } from './write.ts'

export interface Restored {
  backupId: number
  /** The safety backup of the earlier data. */
  safetyBackupId: number
  /** Rows that were loaded. */
  rows: number
  at: Date
}

export interface RestoredFile extends Pick<Restored, 'rows' | 'at'> {
  /** Of the safety backup of the earlier data; null: there were no users. Relative to the backup folder. */
  safetyBackupPath: string | null
}

export interface ProvenFile extends Pick<Trust, 'allowUnencrypted'> {
  file: string
  sha256: string
}

export interface Backups {
  /**
   * Makes a backup, or joins the one that is running on any instance. Resolves when it has ended: `success`, verified
   * by reading it back, or `failed`.
   */
  create(request: BackupRequest): Promise<Backup>
  /**
   * Replaces the data with that of a backup, after a safety backup of the present data; ends all sessions; the
   * directory follows.
   * @throws AppError not_found, forbidden where the actor does not have the highest rank, or conflict naming the
   *   problem of the file; nothing is changed then
   */
  restore(id: number, creator: string, actor: Actor): Promise<Restored>
  /**
   * Does the same with a file without a record, for example one of a database that was lost. Where there are no users
   * yet, there is no safety backup.
   * @param proven the file, its SHA-256 when it was last read and verified, and whether it is accepted although it is
   *   not encrypted
   * @throws AppError conflict naming the problem of the file; nothing is changed then
   */
  restoreFile(proven: ProvenFile, creator: string, actor: Actor): Promise<RestoredFile>
  /**
   * A verified backup file, to be sent; see `openProvenFile`.
   * @throws AppError not_found, also where the file is on another instance, or conflict where it has changed
   */
  open(id: number): Promise<Pick<Backup, 'path' | 'size'> & { body: Readable }>
  /**
   * Reads the whole file as a restore does first.
   * @throws AppError not_found, or conflict naming the problem of the file
   */
  contents(id: number): Promise<BackupContents>
  /**
   * Removes the file of a backup, which is then in no list any more.
   * @throws AppError not_found, or conflict for the one in progress and for the newest proven one
   */
  remove(id: number): Promise<void>
  /** Removes files past their retention, and what an instance that is gone left behind. */
  tidy(): Promise<void>
  handlers: { backups: BackupsHandlers; files: BackupFilesHandlers }
}

export type BackupContents = components['schemas']['BackupContents']

export interface BackupsOptions extends RestorerOptions {
  database: Pick<Database, 'db' | 'kind'>
  /** BACKUP_DIR */
  folder: string
  /** BACKUP_KEY: the present one, which encrypts new files, then the earlier ones; empty: no encryption. */
  secrets: readonly string[]
  timeZone: string
  raise: RaiseAlert
  tasks: Pick<Tasks, 'carryOut'>
}

/** Milliseconds between checks of a backup that another instance makes. */
const lookInterval = 250

export const openBackups = (options: BackupsOptions): Backups => {
  const { database, secrets, unpackLimit, timeZone, raise, tasks, log } = options
  const { db } = database
  const folder = openFolder(options.folder)
  const registry = backupRegistry({ db, owner: randomUUID(), sole: database.kind === 'embedded' })
  const replaceBy = restorer(options)
  const [secret = null] = secrets

  const read = ({ path }: Backup, more: Pick<ReadOptions, 'progress' | 'signal'>): Promise<ReadBackup> =>
    readBackup({ file: folder.at(path), secrets, unpackLimit, ...more })

  const find = async (id: number): Promise<Backup> => {
    const backup = await registry.find(id)
    if (backup === null) throw reasons.backup_not_found.at('id', { id })
    return backup
  }

  const failed = async ({ id, path }: Backup, error: unknown): Promise<void> => {
    const reason = failureText(error)
    log.error({ error: errorRecord(error), backup: id }, `a backup failed: ${reason}`)
    await folder.remove(path).catch(() => {})
    // The instance that recorded it has raised the alert.
    if (!(await registry.fail(id, reason))) return
    await raise(alertOf('backupFailed', { id, reason }))
  }

  /** Removes what instances that are gone left behind. */
  const clearAway = async (): Promise<void> => {
    for (const backup of await registry.abandoned()) {
      await failed(backup, new BackupFileError('the instance that made it has stopped'))
    }
    // In this order: a draft that exists now belongs to a backup whose record existed before.
    const drafts = await folder.drafts()
    const underWay = new Set((await registry.underWay()).map(({ path }) => path))
    for (const path of drafts) if (!underWay.has(path)) await folder.removeDraft(path)
  }

  /** @throws AppError conflict naming what is wrong with the file or its folder; the record stays as it was */
  const removeFile = async ({ id, path }: Pick<Backup, 'id' | 'path'>): Promise<void> => {
    try {
      await folder.remove(path)
    } catch (error) {
      if (!isAboutFile(error)) throw error
      throw reasons.not_removable({ id, problem: failureText(error) }, { cause: error })
    }
    await registry.expire(id)
  }

  /**
   * Writes the file and verifies it by reading it back.
   * @param signal aborts when another instance has given the backup up
   */
  const fill = async (
    backup: Backup,
    { note, signal }: Pick<Task, 'note'> & { signal: AbortSignal },
  ): Promise<void> => {
    const { id, path } = backup
    let rows = 0
    note('writing')
    log.debug({ backup: id, phase: 'writing' }, 'a backup is being made')
    const wrote = (written: number): void => {
      rows = written
      note('writing', rows)
    }
    await folder.add(path, (draft) => writeBackup(db, { file: draft, secret, progress: wrote, signal }))
    log.debug({ backup: id, phase: 'proving' }, 'a backup is being read back')
    const { size, sha256 } = await read(backup, { progress: (proven) => note('proving', proven, rows), signal })
    log.debug({ backup: id, phase: 'recording' }, 'a backup has been proven')
    if (!(await registry.succeed(id, { size, sha256 }))) throw new LeaseLostError('another instance has taken over')
    log.info({ backup: id, path, size }, 'a backup was made and proven')
  }

  /** null: another backup is running. */
  const make = async (request: BackupRequest): Promise<Backup | null> => {
    await clearAway().catch((error: unknown) => {
      log.warn({ error: errorRecord(error) }, 'what was left of earlier backups could not be cleared away')
    })
    const backup = await registry.begin({ ...request, encrypted: secret !== null })
    if (backup === null) return null
    const { id } = backup
    const kept = registry.keep(id)
    const task = { kind: 'backup' as const, creator: request.creator, backupId: id, failureText }
    try {
      await tasks.carryOut(task, ({ note }) =>
        fill(backup, { note, signal: kept.signal }).catch((error: unknown) => {
          kept.signal.throwIfAborted()
          throw error
        }),
      )
    } catch (error) {
      await failed(backup, error)
    } finally {
      kept.end()
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
    if (backup.status !== 'success') throw reasons.not_usable({ id, status: backup.status })
    if (backup.expired) throw reasons.file_removed.at('id', { id })
    return backup
  }

  const makeSafe = async (creator: string): Promise<Backup> => {
    for (;;) {
      // Of a day's automatic backups the last is kept: that must not be this one, of data that is about to be replaced.
      const made = await make({ type: 'manual', creator })
      if (made?.status === 'success') return made
      if (made !== null) {
        throw reasons.safety_failed({ id: made.id })
      }
      for (const { id } of await registry.underWay()) await ended(id)
    }
  }

  const backups: Omit<Backups, 'handlers'> = {
    async create(request) {
      for (;;) {
        const made = await make(request)
        if (made !== null) return made
        const [other] = await registry.underWay()
        if (other) return ended(other.id)
      }
    },

    async restore(id, creator, actor) {
      const { path, sha256 } = await usable(id)
      const source = { name: `backup ${id}`, about: { backup: id, by: creator }, file: folder.at(path), sha256, actor }
      const { safety, ...replaced } = await tasks.carryOut({ kind: 'restore', creator, backupId: id }, ({ note }) =>
        replaceBy(source, () => makeSafe(creator), note),
      )
      return { backupId: id, safetyBackupId: safety.id, ...replaced }
    },

    async restoreFile({ file, sha256, allowUnencrypted }, creator, actor) {
      const source = { name: file, about: { file, by: creator }, file, sha256, allowUnencrypted, actor }
      const safely = async (): Promise<Backup | null> => ((await isInstalled(db)) ? makeSafe(creator) : null)
      const { safety, ...replaced } = await tasks.carryOut({ kind: 'restore', creator }, ({ note }) =>
        replaceBy(source, safely, note),
      )
      return { safetyBackupPath: safety?.path ?? null, ...replaced }
    },

    async open(id) {
      const { path, size, sha256 } = await usable(id)
      try {
        return { path, size, body: await openProvenFile(folder.at(path), { size, sha256 }) }
      } catch (error) {
        if (!isAboutFile(error)) throw error
        if (codeOf(error) === 'ENOENT') throw reasons.file_elsewhere.at('id', { id }, { cause: error })
        throw reasons.not_downloadable({ id, problem: failureText(error) }, { cause: error })
      }
    },

    async contents(id) {
      const backup = await usable(id)
      try {
        const found = await read(backup, {})
        if (found.sha256 !== backup.sha256) throw otherFile()
        refuseNewer(found.manifest.schema, await schemaVersion(db))
        return contentsOf(found)
      } catch (error) {
        if (!isAboutFile(error)) throw error
        throw reasons.not_restorable({ backup: `backup ${id}`, problem: failureText(error) }, { cause: error })
      }
    },

    async remove(id) {
      const { path, status, expired: removed } = await find(id)
      if (removed) throw reasons.file_removed.at('id', { id })
      if (status === 'running') throw reasons.in_progress({ id })
      const [newest] = await registry.proven()
      if (newest?.id === id) throw reasons.newest_kept({ id })
      await removeFile({ id, path })
      log.info({ backup: id, path }, 'a backup was deleted')
    },

    async tidy() {
      await clearAway()
      const keepable = (await registry.proven()).map((backup) => ({ ...backup, at: backup.startedAt }))
      const over = new Set(expired(keepable, new Date(), timeZone))
      let firstFailure: unknown = null
      for (const { id, path } of keepable.filter((backup) => over.has(backup.id))) {
        try {
          await removeFile({ id, path })
          log.info({ backup: id, path }, 'a backup was removed at the end of its retention')
        } catch (error) {
          // One that stays must not keep the others, which would fill the disk.
          firstFailure ??= error
        }
      }
      if (firstFailure !== null) throw firstFailure
    },
  }
  return {
    ...backups,
    handlers: { backups: backupsHandlers({ db, backups, timeZone }), files: backupFilesHandlers({ db, backups }) },
  }
}

const contentsOf = ({ manifest, encrypted, size }: ReadBackup): BackupContents => {
  const tables = Object.entries(manifest.tables).map(([name, { rows }]) => {
    const extent = extentOf(name)
    return { name, rows, restored: typeof extent === 'string' ? extent : ('some' as const) }
  })
  const loaded = tables.filter(({ restored }) => restored === 'all')
  return {
    takenAt: manifest.takenAt,
    version: manifest.steward,
    encrypted,
    size,
    rows: loaded.reduce((sum, { rows }) => sum + rows, 0),
    tables,
  }
}
