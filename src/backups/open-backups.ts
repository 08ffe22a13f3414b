// The room backups.
// Backups: writing, verifying, retention, restoring.
// It never trusts a file before its key or its manifest has authenticated it, and never turns its content into SQL.

import { randomUUID } from 'node:crypto'
import type { RaiseAlert } from '../alerts/alert-queue.ts'
import type { Database } from '../db/client.ts'
import { schemaVersion } from '../db/schema-version.ts'
import { codeOf } from '../failures/caught-error.ts'
import type { Tasks } from '../jobs/tasks.ts'
import { isInstalled } from '../people/installed.ts'
import { currentTime } from '../runtime/clock.ts'
import { backupFilesHandlers } from './backup-file-handlers.ts'
import { backupsHandlers } from './backup-handlers.ts'
import { backupMaker } from './backup-maker.ts'
import { type Backup, backupRegistry } from './backup-registry.ts'
import type { BackupContents, Backups } from './backups.ts'
import { failureText, isAboutFile } from './file/failure-text.ts'
import { otherFile } from './file/file-error.ts'
import { openProvenFile } from './file/proven-file.ts'
import { type ReadBackup, type ReadOptions, readBackup } from './file/read.ts'
import { openFolder } from './folder/folder.ts'
import { expired } from './folder/retention.ts'
import { reasons } from './reasons.ts'
import { refuseNewer } from './restore/refuse-newer.ts'
import { extentOf } from './restore/restored-tables.ts'
import { type RestorerOptions, restorer } from './restore/restorer.ts'

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

export const openBackups = (options: BackupsOptions): Backups => {
  const { database, secrets, unpackLimit, timeZone, raise, tasks, log } = options
  const { db } = database
  const folder = openFolder(options.folder)
  const registry = backupRegistry({ db, owner: randomUUID(), sole: database.kind === 'embedded' })
  const restoreFrom = restorer(options)
  const [secret = null] = secrets

  const read = ({ path }: Backup, more: Pick<ReadOptions, 'progress' | 'signal'>): Promise<ReadBackup> =>
    readBackup({ file: folder.at(path), secrets, unpackLimit, ...more })

  const find = async (id: number): Promise<Backup> => {
    const backup = await registry.find(id)
    if (backup === null) throw reasons.backup_not_found.at('id', { id })
    return backup
  }

  const maker = backupMaker({ db, registry, folder, secret, read, find, raise, tasks, log })

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

  const findUsable = async (id: number): Promise<Backup> => {
    const backup = await find(id)
    if (backup.status !== 'success') throw reasons.not_usable({ id, status: backup.status })
    if (backup.expired) throw reasons.file_removed.at('id', { id })
    return backup
  }

  const backups: Omit<Backups, 'handlers'> = {
    create: maker.create,

    async restore(id, creator, actor) {
      const { path, sha256 } = await findUsable(id)
      const source = { name: `backup ${id}`, about: { backup: id, by: creator }, file: folder.at(path), sha256, actor }
      const { safety, ...replaced } = await tasks.carryOut({ kind: 'restore', creator, backupId: id }, ({ note }) =>
        restoreFrom(source, () => maker.createSafetyBackup(creator), note),
      )
      return { backupId: id, safetyBackupId: safety.id, ...replaced }
    },

    async restoreFile({ file, sha256, allowUnencrypted }, creator, actor) {
      const source = { name: file, about: { file, by: creator }, file, sha256, allowUnencrypted, actor }
      const createIfInstalled = async (): Promise<Backup | null> =>
        (await isInstalled(db)) ? maker.createSafetyBackup(creator) : null
      const { safety, ...replaced } = await tasks.carryOut({ kind: 'restore', creator }, ({ note }) =>
        restoreFrom(source, createIfInstalled, note),
      )
      return { safetyBackupPath: safety?.path ?? null, ...replaced }
    },

    async open(id) {
      const { path, size, sha256 } = await findUsable(id)
      try {
        return { path, size, body: await openProvenFile(folder.at(path), { size, sha256 }) }
      } catch (error) {
        if (!isAboutFile(error)) throw error
        if (codeOf(error) === 'ENOENT') throw reasons.file_elsewhere.at('id', { id }, { cause: error })
        throw reasons.not_downloadable({ id, problem: failureText(error) }, { cause: error })
      }
    },

    async contents(id) {
      const backup = await findUsable(id)
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
      await maker.removeLeftovers()
      const keepable = (await registry.proven()).map((backup) => ({ ...backup, at: backup.startedAt }))
      const expiredIds = new Set(expired(keepable, new Date(currentTime()), timeZone))
      let firstFailure: unknown = null
      for (const { id, path } of keepable.filter((backup) => expiredIds.has(backup.id))) {
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
