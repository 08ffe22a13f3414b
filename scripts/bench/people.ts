import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { sql } from 'drizzle-orm'
import type { Db } from '../../src/db/client.ts'
import { openDatabase } from '../../src/db/client.ts'
import { type Directory, openDirectory } from '../../src/ldap/directory.ts'
import { openSchemeProofs } from '../../src/mirror/passwords/password-scheme.ts'
import { openReconciler, type Reconciler } from '../../src/mirror/reconciler.ts'
import { touchSelected } from '../../src/mirror/touch.ts'
import { silent } from '../../test/database.ts'
import { startPostgres } from '../../test/postgres-server.ts'
import type { TestSlapd } from '../../test/slapd.ts'
import type { Stage } from './stage.ts'

/** A value as long as a real hash; there are no sign-ins here. */
const hash = `$argon2id$v=19$m=19456,t=2,p=1$${'c2FsdHNhbHRzYWx0'}$${'aGFzaA'.repeat(7)}`

/** A PostgreSQL of its own, migrated and empty. It does not sync its writes to disk. */
export const benchDatabase = async (stage: Stage): Promise<{ db: Db; url: string }> => {
  const server = await startPostgres()
  stage.teardown(() => server.dispose())
  const database = await openDatabase({ url: server.url, dataDir: '', log: silent })
  stage.teardown(() => database.close())
  return { db: database.db, url: server.url }
}

/** Adds people as a large organisation has them, numbered from `first` on, and marks them as to be written. */
export const addPeople = async (db: Db, count: number, first = 1): Promise<void> => {
  await db.execute(sql`
    insert into users (username, username_key, nickname, given_name, mail, mobile, job_number, position, password_hash)
    select 'user' || n, 'user' || n, 'User Number ' || n, 'User', 'user' || n || '@example.org', '+49 30 ' || 100000 + n,
      n::text, 'Engineer', ${hash}
    from generate_series(${first}::int, ${first + count - 1}::int) n`)
  await touchSelected(db, 'user', sql`select id from users where substr(username, 5)::int >= ${first}`)
}

export const connectTo = (
  stage: Stage,
  db: Db,
  slapd: TestSlapd,
  { transactions = true } = {},
): { directory: Directory; reconciler: Reconciler } => {
  const options = { ...slapd, ca: null, startTls: false, timeout: 60_000, log: silent }
  const real = openDirectory(options)
  const directory: Directory = transactions
    ? real
    : { ...real, features: async () => ({ ...(await real.features()), transactions: false }) }
  const reconciler = openReconciler({
    db,
    directory,
    groupClass: 'groupOfNames',
    greet: async () => openSchemeProofs(options, 1),
    passwords: { key: randomBytes(32), scheme: 'ARGON2', adopts: true, adopt: null },
    log: silent,
  })
  stage.teardown(async () => {
    await reconciler.stop()
    await directory.close()
  })
  return { directory, reconciler }
}

/** Runs one of OpenLDAP's tools as the directory's administrator; its output is discarded. */
export const ldapTool = async (slapd: TestSlapd, tool: string, args: readonly string[]): Promise<void> => {
  const bind = ['-x', '-H', slapd.url, '-D', slapd.bindDn, '-w', slapd.bindPassword]
  const child = spawn(tool, [...bind, ...args], { stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${tool} ended with ${code}`)
}
