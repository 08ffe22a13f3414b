/** A backup file that cannot be used, and why: the message is for whoever asked for it. */
export class BackupFileError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BackupFileError'
  }
}
