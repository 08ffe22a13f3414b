import { knownMigrations, type SchemaVersion } from '../../db/schema-version.ts'
import { BackupFileError } from '../file/file-error.ts'

/**
 * @throws BackupFileError unless rows of a schema can be loaded into this one: it is the same, or an earlier state of
 * it
 */
export const refuseNewer = (backup: SchemaVersion, current: SchemaVersion): void => {
  if (backup.when > current.when) {
    throw new BackupFileError(
      `a newer version of Steward made it (its schema is ${backup.tag}; this one has ${current.tag}): update first`,
    )
  }
  if (!knownMigrations().some(({ when }) => when === backup.when)) {
    throw new BackupFileError(`this version of Steward does not know its schema (${backup.tag})`)
  }
}
