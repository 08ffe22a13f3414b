import { eq, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { users } from '../db/schema.ts'
import { mailKeyOf } from '../text/identity-keys.ts'
import { alertOf } from './alert.ts'
import type { AlertQueue } from './alert-queue.ts'

/** The key of an attempt after a failure. */
export interface FailedKey {
  /** `account:…`, `address:…`, … */
  key: string
  /** In the last 15 minutes. */
  failures: number
  locked: boolean
}

/** The caller of the attempt. */
export interface Attempting {
  address: string
  /** As it was typed, or the signed-in user's. */
  username?: string
}

/** Called for a key that has failed often. Never throws, and no caller waits for it. */
export type ReportFailures = (failed: FailedKey, who: Attempting) => void

/**
 * Raises an alert for a key that fails repeatedly: for information first, as a warning once it is locked. A name or an
 * address that no user has is not repeated: it may be a password that was typed into the wrong field.
 */
export const attemptAlerts =
  ({ db, alerts }: { db: Db; alerts: Pick<AlertQueue, 'raiseFound'> }): ReportFailures =>
  ({ key, failures, locked }, { address, username = '' }) =>
    alerts.raiseFound(async () => {
      const [kind, name] = [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)]
      const what = kinds[kind] ?? 'failed attempts'
      const subject = ownKinds.has(kind) ? username : await subjectOf(db, kind, name)
      return alertOf(locked ? 'attemptsLocked' : 'attemptsRepeated', { kind, subject, what, failures, address })
    })

/** What is counted for a key, by its kind. */
const kinds: Readonly<Record<string, string>> = {
  account: 'failed sign-ins',
  address: 'failed attempts',
  directory: 'failed binds to the directory',
  'directory-known': 'failed binds to the directory',
  'directory-name': 'failed binds to the directory',
  entry: 'failed binds to the directory',
  mail: 'wrong codes',
  'second-factor': 'wrong codes',
  'send-mail': 'codes asked for',
  'mailed-code': 'codes asked for',
}

/** Keys that do not name a user: the caller that counts under them supplies the name. */
const ownKinds: ReadonlySet<string> = new Set(['second-factor', 'mailed-code', 'entry', 'directory-name'])

const subjectOf = async (db: Db, kind: string, name: string): Promise<string> => {
  if (kind === 'account') {
    const [user] = await db.select({ username: users.username }).from(users).where(eq(users.usernameKey, name))
    return user?.username ?? 'names that nobody has'
  }
  if (kind === 'mail' || kind === 'send-mail') {
    const [user] = await db
      .select({ mail: users.mail })
      .from(users)
      .where(sql`${users.mail} <> '' and ${mailKeyOf(users.mail)} = ${name}`)
    return user?.mail ?? 'mail addresses that nobody has'
  }
  return name
}
