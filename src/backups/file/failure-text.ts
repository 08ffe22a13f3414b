import { LeaseLostError } from '../../db/lease.ts'
import { codeOf } from '../../failures/caught-error.ts'
import { AppError } from '../../failures/errors.ts'
import { fileProblem } from '../../files/file-problem.ts'
import { BackupFileError } from './file-error.ts'

/** The problem with a file, by the error of the operating system, where it is told of a file of a backup in other words. */
const sentences: Readonly<Record<string, string | undefined>> = {
  EFBIG: 'the file is larger than the system allows',
  ENOENT: 'its file does not exist',
  ENOTDIR: 'BACKUP_DIR is not a directory',
  EEXIST: 'BACKUP_DIR is not a directory',
  ELOOP: 'it is a symbolic link, which is not followed',
  EISDIR: 'it is a directory',
}

/** Whether the file or its path is the reason, and not the database. */
export const isAboutFile = (error: unknown): boolean =>
  error instanceof BackupFileError || sentenceOf(error, '') !== undefined

/**
 * Why a backup or a restore failed, for the caller: texts that are only for the log are left out.
 * @param place what a file could not be written to or read from
 */
export const failureText = (error: unknown, place = 'BACKUP_DIR'): string =>
  error instanceof BackupFileError || error instanceof AppError || error instanceof LeaseLostError
    ? error.message
    : (sentenceOf(error, place) ?? 'internal error: see the log')

/** Of connections, which have codes of the same names. */
const calls: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo'])

/** undefined: the error is not one of the file system. */
const sentenceOf = (error: unknown, place: string): string | undefined => {
  const problem = fileProblem(error)
  if (problem === null || calls.has(Reflect.get(error as Error, 'syscall'))) return undefined
  return sentences[codeOf(error) ?? ''] ?? `${place} ${problem.text}: ${problem.advice}`
}
