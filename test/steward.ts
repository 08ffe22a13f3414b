import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { type Config, parseConfig } from '../src/config/config.ts'
import type { Data } from '../src/contract/handler.ts'
import type { Database } from '../src/db/client.ts'
import type { Operations } from '../src/generated/documents.ts'
import { openSteward } from '../src/main/steward.ts'
import type { Mirror } from '../src/mirror/open-mirror.ts'
import { openLog } from '../src/runtime/log.ts'
import { type Call, type CallInput, caller, dataOf } from './contract/call.ts'
import { testDatabase } from './database.ts'
import { directorySettings, type TestSlapd } from './slapd.ts'

export interface TestSteward {
  app: Awaited<ReturnType<typeof openSteward>>['app']
  /** Calls an operation and holds its reply against the contract. */
  call: Call
  config: Config
  db: Database['db']
  mirror: Mirror
  /** The administrator's token. */
  token: string
  /** As the administrator. */
  ask: Call
  /** As the administrator and successfully: the reply's data; throws otherwise. */
  take: <Id extends keyof Operations>(id: Id, input?: CallInput) => Promise<Data<Operations[Id]>>
  /** null: METRICS_PORT=off. */
  metricsUrl: string | null
  /** Every line logged so far. */
  logs: string[]
  /** A token of that user; throws when the sign-in is refused. */
  signIn(username: string, password: string): Promise<string>
  /** Adds an enabled user with these roles (keywords of bootstrap roles or ids) and signs them in. */
  person(username: string, options?: PersonOptions): Promise<{ id: number; token: string; password: string }>
  /** Ends the service before the test does; for restarts on the same folder or database. */
  close(): Promise<void>
}

export interface PersonOptions {
  roleIds?: number[]
  departmentId?: number[]
  password?: string
}

export interface TestStewardOptions {
  /** Where people and groups are mirrored: a slapd, the embedded directory (default), or nothing. */
  directory?: TestSlapd | 'embedded' | 'none'
  /** More settings, as environment variables. */
  env?: Record<string, string>
  /** An open database to share or to keep; it is the caller's to close. */
  database?: Database
  dataDir?: string
  /** Milliseconds since 1970, for everything that depends on the day. */
  now?: () => number
}

export const adminPassword = 'administrators have one'

/** Instances that share a database have one JWT_SECRET, unless a test gives them others. */
const tokenSecrets = new WeakMap<Database, string>()

const shareTokenSecret = (dataDir: string, database: Database): void => {
  const [folder, file] = [join(dataDir, 'secrets'), join(dataDir, 'secrets', 'jwt')]
  const secret = tokenSecrets.get(database)
  if (secret === undefined || existsSync(file)) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(file, secret, { mode: 0o600 })
}

/** The whole service on real adapters, behind its door; everything is closed with the test. */
export const steward = async (t: Test, options: TestStewardOptions = {}): Promise<TestSteward> => {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'steward-data-')))
  // Before the service's own teardown is known, so that it runs after it: tap goes backwards.
  if (options.dataDir === undefined) t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const database = options.database ?? (await testDatabase(t))
  const config = parseConfig({
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: adminPassword,
    PORT: '0',
    TIME_ZONE: 'UTC',
    // What is tested is that the directory follows, not how fast this machine is.
    DIRECTORY_WAIT: '60s',
    ...directoryEnvironment(options.directory ?? 'embedded'),
    ...options.env,
  })
  if (config.jwtSecret === null) shareTokenSecret(dataDir, database)
  const logs: string[] = []
  const log = openLog(config.logLevel, { write: (line: string) => void logs.push(line) })
  const open = async (): Promise<Database> => ({ ...database, close: async () => {} })
  const { app, mirror, metricsUrl, close } = await openSteward({
    config,
    log,
    open,
    ...(options.now && { now: options.now }),
  })
  t.teardown(close)
  if (config.jwtSecret === null) tokenSecrets.set(database, readFileSync(join(dataDir, 'secrets', 'jwt'), 'utf8'))

  const call = caller(app)
  const signIn = async (username: string, password: string): Promise<string> => {
    const reply = await call('login', { body: { username, password } })
    if (reply.code !== 0) throw new Error(`${username} cannot sign in: ${reply.msg}`)
    return reply.data.token
  }
  const token = await signIn('admin', config.adminPassword ?? adminPassword)
  const ask: Call = (id, input) => call(id, { token, ...input })
  const take: TestSteward['take'] = async (id, input) => dataOf(await ask(id, input))
  const person: TestSteward['person'] = async (username, more = {}) => {
    const { roleIds = [], departmentId = [], password = `${username} has a password` } = more
    const body = { username, nickname: username, mail: '', mobile: '', jobNumber: '', password, roleIds, departmentId }
    const added = await call('addUser', { token, body })
    if (added.code !== 0) throw new Error(`${username} cannot be added: ${added.msg}`)
    return { id: added.data.id, token: await signIn(username, password), password }
  }
  return { app, call, config, db: database.db, mirror, metricsUrl, token, ask, take, logs, signIn, person, close }
}

const directoryEnvironment = (directory: TestSlapd | 'embedded' | 'none'): Record<string, string> => {
  if (directory === 'none') return { EMBEDDED_LDAP_PORT: 'off' }
  if (directory === 'embedded') return { EMBEDDED_LDAP_PORT: '0' }
  return { ...directorySettings(directory), LDAP_TIMEOUT: '20s' }
}
