import { LeaseLostError } from '../../db/lease.ts'
import { codeOf } from '../../failures/caught-error.ts'
import { AppError } from '../../failures/errors.ts'
import { BackupFileError } from './file-error.ts'

/** The problem with a file, by the error of the operating system. */
const sentences: Readonly<Record<string, string | undefined>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is larger than the system allows',
  EACCES: 'the backup directory cannot be read or written',
  EPERM: 'the backup directory cannot be read or written',
  EROFS: 'the backup directory is read-only',
  ENOENT: 'its file does not exist',
  ENOTDIR: 'BACKUP_DIR is not a directory',
  EEXIST: 'BACKUP_DIR is not a directory',
  EIO: 'the disk reported an input/output error',
  ELOOP: 'it is a symbolic link, which is not followed',
  EISDIR: 'it is a directory',
}

/** Whether the file or its path is the reason, and not the database. */
export const isAboutFile = (error: unknown): boolean =>
  error instanceof BackupFileError || sentenceOf(error) !== undefined

/** Why a backup or a restore failed, for the caller: texts that are only for the log are left out. */
export const failureText = (error: unknown): string =>
  error instanceof BackupFileError || error instanceof AppError || error instanceof LeaseLostError
    ? error.message
    : (sentenceOf(error) ?? 'internal error: see the log')

const sentenceOf = (error: unknown): string | undefined => sentences[codeOf(error) ?? '']
