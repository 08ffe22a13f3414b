/** A backup file that cannot be used, and why: the message is for whoever asked for it. */
export class BackupFileError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BackupFileError'
  }
}

/** The SHA-256 of the file is not the one it had when it was proven. */
export const otherFile = (): BackupFileError => new BackupFileError('another file has taken its place')
