import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { BackupFileError } from './file-error.ts'

// Windows knows neither.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/**
 * Opens a file to be read, and neither a link, which could lead out of the backup folder, nor a pipe or a device.
 * @throws BackupFileError for those, and the error of the file system
 */
export const openRegularFile = async (file: string): Promise<FileHandle> => {
  // Without O_NONBLOCK a pipe is waited for until something writes into it.
  const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    if (!(await handle.stat()).isFile()) throw new BackupFileError('it is not a regular file')
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}
