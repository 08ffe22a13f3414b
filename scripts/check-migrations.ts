/**
 * Fails when a migration since the last release takes something from that release, which still runs while the first
 * instance of the next one has migrated: docs/development.md. `scripts/rolling-upgrade.ts` tries it by night.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { knownMigrations, migrationsFolder } from '../src/db/schema-version.ts'
import { contractions } from './migrations/contracting.ts'
import { previousRelease } from './release/previous.ts'

const { migration } = previousRelease()
const tags = knownMigrations().map(({ tag }) => tag)
if (!tags.includes(migration)) throw new Error(`scripts/release/previous.json: there is no migration ${migration}`)
const own = new Set<string>()
for (const tag of tags.slice(tags.indexOf(migration) + 1)) {
  for (const { statement, why } of contractions(readFileSync(join(migrationsFolder, `${tag}.sql`), 'utf8'), own)) {
    console.log(`${tag}.sql: the release before would break, because ${why}:\n  ${statement}`)
    process.exitCode = 1
  }
}
