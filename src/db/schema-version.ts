import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import type { Queryable } from './client.ts'

/** The folder is not compiled: the path is right from src/db and from dist/db. */
export const migrationsFolder = fileURLToPath(new URL('../../src/db/migrations', import.meta.url))

/** A migration: its name and its creation time (milliseconds), which is the order of migrations. */
export interface SchemaVersion {
  tag: string
  when: number
}

/** The migrations that this version of Steward knows, the oldest first. */
export const knownMigrations = (): SchemaVersion[] => {
  const journal = JSON.parse(readFileSync(join(migrationsFolder, 'meta', '_journal.json'), 'utf8')) as {
    entries: SchemaVersion[]
  }
  return journal.entries.map(({ tag, when }) => ({ tag, when })).sort((a, b) => a.when - b.when)
}

/** The newest migration that this version of Steward knows. */
export const newestKnownMigration = (): SchemaVersion => {
  const newest = knownMigrations().at(-1)
  if (newest === undefined) throw new Error('There are no migrations')
  return newest
}

/** The creation time of the newest migration that was applied to this database; null: none was. */
export const newestAppliedMigration = async (db: Queryable): Promise<number | null> => {
  const [table] = await db.execute<{ exists: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  )
  if (table?.exists !== true) return null
  const [applied] = await db.execute<{ newest: string | null }>(
    sql`select max(created_at) as newest from drizzle.__drizzle_migrations`,
  )
  return applied?.newest == null ? null : Number(applied.newest)
}

/**
 * The schema of this database: the newest migration that was applied to it.
 * @throws Error where none was
 */
export const schemaVersion = async (db: Queryable): Promise<SchemaVersion> => {
  const when = await newestAppliedMigration(db)
  if (when === null) throw new Error('No migration was applied to this database')
  const known = knownMigrations().find((migration) => migration.when === when)
  return { tag: known?.tag ?? `of ${new Date(when).toISOString()}`, when }
}
