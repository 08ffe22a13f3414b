import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { BackupFileError } from './file-error.ts'

// Windows has neither flag.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/**
 * Opens a file for reading. Refuses a link, which could lead out of the backup folder, a pipe and a device.
 * @throws BackupFileError for those, and the error of the file system
 */
export const openRegularFile = async (file: string): Promise<FileHandle> => {
  // Without O_NONBLOCK, opening a pipe waits for a writer.
  const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    if (!(await handle.stat()).isFile()) throw new BackupFileError('it is not a regular file')
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}
