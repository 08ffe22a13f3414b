import { sql } from 'drizzle-orm'
import type { Queryable } from '../db/client.ts'
import { knownMigrations, type SchemaVersion } from '../db/migrate.ts'
import { BackupFileError } from './file-error.ts'

/** The newest migration of this version of Steward. */
export const ownSchemaVersion = (): SchemaVersion =>
  knownMigrations().reduce((newest, each) => (each.when > newest.when ? each : newest))

/** The newest migration of this database. */
export const schemaVersion = async (db: Queryable): Promise<SchemaVersion> => {
  const [row] = await db.execute<{ when: string }>(
    sql`select max(created_at) as "when" from drizzle.__drizzle_migrations`,
  )
  const when = Number(row?.when ?? 0)
  return {
    tag: knownMigrations().find((migration) => migration.when === when)?.tag ?? `of ${new Date(when).toISOString()}`,
    when,
  }
}

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
