import { ConfigError } from '../../failures/errors.ts'

/** Another process has the embedded database or the embedded directory of this folder open. */
export class FolderInUseError extends ConfigError {
  constructor(folder: string) {
    super([`DATA_DIR: ${folder} is in use by another process; the embedded database serves only one`])
  }
}
