import type { Readable } from 'node:stream'
import type { Actor } from '../access/seniority.ts'
import type { BackupFilesHandlers } from '../generated/operations.ts'
import type { components } from '../generated/operations.types.ts'
import type { BackupsHandlers } from '../generated/security.ts'
import type { Backup, BackupRequest } from './backup-registry.ts'
import type { Trust } from './file/header.ts'

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
   * Restores a file that has no record, for example from a database that was lost. No safety backup is made of a database
   * without users.
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
