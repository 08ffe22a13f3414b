import { createHash, randomUUID } from 'node:crypto'
import { appendFileSync, chmodSync, cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { type Database, openDatabase } from '../src/db/client.ts'
import { migrationsFolder } from '../src/db/schema-version.ts'
import type { Logger } from '../src/runtime/log.ts'
import { type PostgresServer, postgresMissing, startPostgres } from './postgres-server.ts'
import { currentFile } from './workers/scopes.ts'

export { postgresMissing } from './postgres-server.ts'

export interface TestDatabase extends Database {
  /** Empties every table and starts every identity again. */
  reset(): Promise<void>
}

/** The part of tap's test that a factory needs. */
export interface Teardown {
  teardown(run: () => unknown): void
}

export const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/**
 * A migrated, empty database that closes itself with the test: a fresh one on a PostgreSQL that this test process starts
 * once and that ends with it; the embedded one where no PostgreSQL is installed, or with TEST_DATABASE=embedded. With
 * TEST_DATABASE_USERS=<file> that file lists the tests that asked, so that the same tests can be run on the other kind.
 */
export const testDatabase = (t: Teardown): Promise<TestDatabase> => {
  const { TEST_DATABASE_USERS: list } = process.env
  if (list !== undefined) appendFileSync(list, `${currentFile()}\n`)
  return kind === 'embedded' ? testEmbeddedDatabase(t) : testServerDatabase(t)
}

const kind = process.env.TEST_DATABASE ?? (postgresMissing ? 'embedded' : 'postgres')

/** On the embedded PostgreSQL whatever TEST_DATABASE says. It skips every fsync. */
export const testEmbeddedDatabase = async (t: Teardown): Promise<TestDatabase> => {
  const folder = await mkdtemp(join(tmpdir(), 'steward-test-'))
  const dataDir = join(folder, 'data')
  await copyTemplate(dataDir)
  const database = await openDatabase({ url: null, dataDir, log: silent, upToDate: true, durable: false })
  return closedBy(t, database, () => rm(folder, { recursive: true, force: true }))
}

/** Makes the folder a data directory with a migrated, empty embedded database. */
export const copyTemplate = async (dataDir: string): Promise<void> => {
  // Ten times as fast as the asynchronous one, which opens the thousand files one by one.
  cpSync(await embeddedTemplate(), dataDir, { recursive: true })
  // It does not keep the mode of folders with every version of Node.js.
  chmodSync(dataDir, 0o700)
}

/** On a real PostgreSQL whatever TEST_DATABASE says. */
export const testServerDatabase = async (t: Teardown): Promise<TestDatabase> => {
  shared ??= startShared()
  const { url: root, administer } = await shared
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(`create database ${name} template migrated strategy file_copy`)
  const url = new URL(root)
  url.pathname = `/${name}`
  const database = await openDatabase({ url: url.href, dataDir: '', log: silent, upToDate: true, catchEscapes: true })
  return closedBy(t, database, () => administer(`drop database ${name} with (force)`))
}

/** A PostgreSQL of the test's own, to be stopped and started as faults need. Its `url` names an empty database. */
export const testPostgres = async (
  t: Teardown,
  options: { password?: string; parent?: string } = {},
): Promise<PostgresServer> => {
  if (postgresMissing) throw new Error(postgresMissing)
  const server = await startPostgres(options)
  t.teardown(() => server.dispose())
  return server
}

const closedBy = (t: Teardown, database: Database, cleanUp: () => Promise<unknown>): TestDatabase => {
  t.teardown(async () => {
    await database.close()
    await cleanUp()
  })
  return { ...database, reset: () => reset(database) }
}

const reset = async ({ db }: Database): Promise<void> => {
  const tables = await db.execute<{ name: string }>(
    sql`select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  // PostgreSQL makes new files for each table that it truncates, and for each of its indexes.
  const looks = tables.map(({ name }) => `select '${name}' as name where exists (select from ${name})`)
  const filled = await db.execute<{ name: string }>(sql.raw(looks.join(' union all ')))
  if (filled.length > 0) await db.execute(sql.raw(`truncate ${filled.map(({ name }) => name).join(', ')} cascade`))
  await db.execute(sql`
    select setval(format('%I.%I', schemaname, sequencename)::regclass, 1, false)
    from pg_sequences where schemaname = 'public' and last_value is not null`)
  await db.execute(sql`insert into directories (number) values (1)`)
}

interface SharedServer {
  url: string
  /** Carries out a statement as the superuser. */
  administer(statement: string): Promise<unknown>
}

let shared: Promise<SharedServer> | undefined

const startShared = async (): Promise<SharedServer> => {
  const { url: root } = await startPostgres()
  const administer = administrator(root)
  await administer('create database migrated')
  const url = new URL(root)
  url.pathname = '/migrated'
  const database = await openDatabase({ url: url.href, dataDir: '', log: silent })
  await database.close()
  return { url: root, administer }
}

/** On one connection, since each costs PostgreSQL a process. It keeps this process alive during a statement only. */
const administrator = (url: string): SharedServer['administer'] => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  // The driver's types do not know `socket`.
  const own: object = { max: 1, idle_timeout: 0, max_lifetime: null, onnotice: () => {}, socket: () => socket }
  const client = postgres(url, own)
  let running = 0
  return async (statement) => {
    running += 1
    socket.ref()
    try {
      return await client.unsafe(statement)
    } finally {
      running -= 1
      if (running === 0) socket.unref()
    }
  }
}

/**
 * The data directory of a migrated, empty embedded database, made once and kept between runs: making one costs seconds
 * (initdb in WASM), copying it a tenth. Test processes that make it at the same time end up with the first one's.
 */
const embeddedTemplate = async (): Promise<string> => {
  const hash = createHash('sha256').update(versionOf('@electric-sql/pglite'))
  for (const file of readdirSync(migrationsFolder).sort()) {
    if (file.endsWith('.sql')) hash.update(readFileSync(join(migrationsFolder, file)))
  }
  const cache = resolve('node_modules/.cache/steward')
  const template = join(cache, `database-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(template)) return template
  await mkdir(cache, { recursive: true })
  const draft = await mkdtemp(`${template}-`)
  const database = await openDatabase({ url: null, dataDir: draft, log: silent, durable: false })
  await database.close()
  await rename(draft, template).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    await rm(draft, { recursive: true, force: true })
  })
  return template
}

const versionOf = (name: string): string => {
  const entry = createRequire(import.meta.url).resolve(name)
  const folder = entry.slice(0, entry.lastIndexOf(name) + name.length)
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version
}
