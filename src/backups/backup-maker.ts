import { setTimeout as sleep } from 'node:timers/promises'
import { alertOf } from '../alerts/alert.ts'
import type { RaiseAlert } from '../alerts/alert-queue.ts'
import type { Db } from '../db/client.ts'
import { LeaseLostError } from '../db/lease.ts'
import type { Task, Tasks } from '../jobs/tasks.ts'
import { errorRecord, type Logger } from '../runtime/log.ts'
import type { Backup, BackupRegistry, BackupRequest } from './backup-registry.ts'
import { failureText } from './file/failure-text.ts'
import { BackupFileError } from './file/file-error.ts'
import type { ReadBackup, ReadOptions } from './file/read.ts'
import type { BackupFolder } from './folder/folder.ts'
import { reasons } from './reasons.ts'
import { writeBackup } from './write.ts'

/** Milliseconds after which no one writes a draft any more, whosever it is: a backup writes several times a second. */
const strayAfter = 86_400_000

/** Milliseconds between checks of a backup that another instance makes. */
const pollInterval = 250

export interface BackupMaker {
  /**
   * Makes a backup, or joins the one that is running on any instance. Resolves when it has ended: `success`, verified
   * by reading it back, or `failed`.
   */
  create(request: BackupRequest): Promise<Backup>
  /**
   * Makes the backup before a restore, of the data that is about to be replaced.
   * @throws AppError (conflict) when it fails
   */
  createSafetyBackup(creator: string): Promise<Backup>
  /** Removes what instances that are gone left behind. */
  removeLeftovers(): Promise<void>
}

export interface BackupMakerOptions {
  db: Db
  registry: BackupRegistry
  folder: BackupFolder
  /** Encrypts the files; null: they are not encrypted. */
  secret: string | null
  /** Reads a backup whole, as a restore does first. */
  read: (backup: Backup, options: Pick<ReadOptions, 'progress' | 'signal'>) => Promise<ReadBackup>
  /** @throws AppError (not_found) */
  find: (id: number) => Promise<Backup>
  raise: RaiseAlert
  tasks: Pick<Tasks, 'carryOut'>
  log: Logger
}

/** Makes backups, one at a time on all instances together. */
export const backupMaker = (options: BackupMakerOptions): BackupMaker => {
  const { db, registry, folder, secret, read, find, raise, tasks, log } = options

  const recordFailure = async ({ id, path }: Backup, error: unknown): Promise<void> => {
    const reason = failureText(error)
    log.error({ error: errorRecord(error), backup: id }, `a backup failed: ${reason}`)
    await folder.remove(path).catch(() => {})
    // The instance that recorded it has raised the alert.
    if (!(await registry.fail(id, reason))) return
    await raise(alertOf('backupFailed', { id, reason }))
  }

  const removeLeftovers = async (): Promise<void> => {
    for (const backup of await registry.abandoned()) {
      await recordFailure(backup, new BackupFileError('the instance that made it has stopped'))
    }
    // In this order: a draft that exists now belongs to a backup whose record existed before.
    const drafts = await folder.drafts()
    const recorded = await registry.recorded(drafts.map(({ path }) => path))
    for (const { path, idle } of drafts) {
      // Without a record it may be that of another installation with the same folder, which is writing it.
      if (recorded.get(path) === false || (!recorded.has(path) && idle > strayAfter)) await folder.removeDraft(path)
    }
  }

  /**
   * Writes the file and verifies it by reading it back.
   * @param signal aborts when another instance has given the backup up
   */
  const writeAndVerify = async (
    backup: Backup,
    { note, signal }: Pick<Task, 'note'> & { signal: AbortSignal },
  ): Promise<void> => {
    const { id, path } = backup
    let rows = 0
    note('writing')
    log.debug({ backup: id, phase: 'writing' }, 'a backup is being made')
    const progress = (written: number): void => {
      rows = written
      note('writing', rows)
    }
    await folder.add(path, (draft) => writeBackup(db, { file: draft, secret, progress, signal }))
    log.debug({ backup: id, phase: 'proving' }, 'a backup is being read back')
    const { size, sha256 } = await read(backup, { progress: (proven) => note('proving', proven, rows), signal })
    log.debug({ backup: id, phase: 'recording' }, 'a backup has been proven')
    if (!(await registry.succeed(id, { size, sha256 }))) throw new LeaseLostError('another instance has taken over')
    log.info({ backup: id, path, size }, 'a backup was made and proven')
  }

  /** null: another backup is running. */
  const make = async (request: BackupRequest): Promise<Backup | null> => {
    await removeLeftovers().catch((error: unknown) => {
      log.warn({ error: errorRecord(error) }, 'what was left of earlier backups could not be cleared away')
    })
    const backup = await registry.begin({ ...request, encrypted: secret !== null })
    if (backup === null) return null
    const { id } = backup
    const lease = registry.keep(id)
    const task = { kind: 'backup' as const, creator: request.creator, backupId: id, failureText }
    try {
      await tasks.carryOut(task, ({ note }) =>
        writeAndVerify(backup, { note, signal: lease.signal }).catch((error: unknown) => {
          lease.signal.throwIfAborted()
          throw error
        }),
      )
    } catch (error) {
      await recordFailure(backup, error)
    } finally {
      lease.end()
    }
    return find(id)
  }

  const waitUntilEnded = async (id: number): Promise<Backup> => {
    for (;;) {
      const backup = await find(id)
      if (backup.status !== 'running') return backup
      await removeLeftovers()
      await sleep(pollInterval)
    }
  }

  return {
    async create(request) {
      for (;;) {
        const made = await make(request)
        if (made !== null) return made
        const [other] = await registry.underWay()
        if (other) return waitUntilEnded(other.id)
      }
    },

    async createSafetyBackup(creator) {
      for (;;) {
        // Of a day's automatic backups the last is kept: that must not be this one.
        const made = await make({ type: 'manual', creator })
        if (made?.status === 'success') return made
        if (made !== null) throw reasons.safety_failed({ id: made.id })
        for (const { id } of await registry.underWay()) await waitUntilEnded(id)
      }
    },

    removeLeftovers,
  }
}
