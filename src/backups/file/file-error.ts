/** A backup file that cannot be used, and why: the message is for the caller. */
export class BackupFileError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BackupFileError'
  }
}

/** The SHA-256 of the file has changed since it was verified. */
export const otherFile = (): BackupFileError => new BackupFileError('another file has replaced it')
