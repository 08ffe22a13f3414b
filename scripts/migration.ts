import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

// npm run migration -- --name what_it_does: the migration for what has changed in the tables. drizzle-kit compares them
// with the newest snapshot only; the older ones, some 5,000 lines each, are not kept.

const { status } = spawnSync('drizzle-kit', ['generate', ...process.argv.slice(2)], { stdio: 'inherit' })
const folder = 'src/db/migrations/meta'
const snapshots = readdirSync(folder).filter((name) => name.endsWith('_snapshot.json'))
for (const name of snapshots.sort().slice(0, -1)) rmSync(join(folder, name))
process.exitCode = status ?? 1
