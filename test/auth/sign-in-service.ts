import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash, verify } from '@node-rs/argon2'
import { eq } from 'drizzle-orm'
import pino from 'pino'
import { committedChange } from '../../src/access/committed.ts'
import { openPrincipals } from '../../src/access/principals.ts'
import { openAlertQueue } from '../../src/alerts/alert-queue.ts'
import { attemptAlerts } from '../../src/alerts/attempt-alerts.ts'
import { openOutbox } from '../../src/alerts/notifications/outbox.ts'
import { sessionAlerts } from '../../src/alerts/session-alerts.ts'
import { openCallers } from '../../src/auth/callers.ts'
import { openConsoleSessions } from '../../src/auth/console-sessions.ts'
import { openMailCodes } from '../../src/auth/mail-codes.ts'
import { argon2Cost, openPasswords } from '../../src/auth/passwords.ts'
import { publicHandlers } from '../../src/auth/public-handlers.ts'
import { factorNotices } from '../../src/auth/second-factor/notices.ts'
import { totpFactors } from '../../src/auth/second-factor/totp-factors.ts'
import { openSignInProof } from '../../src/auth/sign-in-proof.ts'
import { openThrottle } from '../../src/auth/throttle.ts'
import { openTokens } from '../../src/auth/tokens.ts'
import { transportCipher } from '../../src/auth/transport-cipher.ts'
import { openBackground } from '../../src/concurrency/background.ts'
import type { Database } from '../../src/db/client.ts'
import { onPrimary } from '../../src/db/replica.ts'
import { roles, userRoles, users } from '../../src/db/schema.ts'
import { directoryDocument } from '../../src/generated/directory.ts'
import { matchingKey } from '../../src/ldap/dn.ts'
import { type Mail, openMail } from '../../src/mail/open-mail.ts'
import { buildApp } from '../../src/main/app.ts'
import { bootstrap } from '../../src/main/bootstrap.ts'
import type { Reconciler } from '../../src/mirror/reconciler.ts'
import { noEarlyClaim } from '../../src/mirror/writing/early-claim.ts'
import { usersHandlers } from '../../src/people/user-handlers.ts'
import { openDashboard } from '../../src/posture/dashboard.ts'
import { loadSecrets } from '../../src/secrets/secrets.ts'
import { openImporter } from '../../src/sync/importer.ts'
import { userRunStartHandlers } from '../../src/sync/run-start-handlers.ts'
import { openRuns } from '../../src/sync/runs.ts'
import { mobileKeys } from '../../src/text/identity-keys.ts'
import { type Call, caller } from '../contract/call.ts'
import type { Teardown } from '../database.ts'

export const jwtSecret = 'a secret of the tests, long enough to be one'
export const adminPassword = 'plum-orbit-candle-7'
export const minute = 60_000

/** The operations of base and users, which is what signing in shows on; the rest of the document is not served. */
const document = {
  ...directoryDocument,
  operations: directoryDocument.operations.filter(({ group }) => group === 'base' || group === 'users'),
}

export interface ServiceOptions {
  passwordTools?: boolean
}

/** The base operations behind the real door on a real database; its clock can be moved and its hashing is counted. */
export const startService = async (t: Teardown, database: Database, { passwordTools = true }: ServiceOptions = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-base-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const { db } = database
  const clock = { ahead: 0 }
  const now = () => Date.now() + clock.ahead
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) })
  const counts = { verified: 0 }
  /** What happens while a password is checked. */
  const meanwhile = { check: async (): Promise<void> => {} }
  const directory = { settled: true }

  const { transportKey, mailCodeKey, factorKey } = loadSecrets(folder, { jwtSecret })
  const cipher = transportCipher(transportKey, now)
  const passwords = openPasswords({
    cipher,
    scheme: 'argon2',
    argon2: {
      hash: (password) => hash(password, argon2Cost),
      async verify(hash, password) {
        counts.verified += 1
        await meanwhile.check()
        return verify(hash, password)
      },
    },
  })
  const tokens = openTokens({ secret: jwtSecret, ttl: 1800, now })
  const principals = openPrincipals({ database, secondFactor: 'optional', now })
  const outbox = openOutbox({ recipients: [], webhook: false, timeZone: 'UTC' })
  const alerts = openAlertQueue({ db, outbox, log })
  t.teardown(() => alerts.close())
  const throttle = openThrottle({ db, report: attemptAlerts({ db, alerts }), now })
  const mailFolder = join(folder, 'mail')
  const post = openMail({ smtpUrl: null, from: 'Steward <steward@localhost>', folder: mailFolder, log })
  const sent: Promise<void>[] = []
  const mail: Mail = {
    ...post,
    send(message) {
      const sending = post.send(message)
      sent.push(sending)
      return sending
    },
  }
  const background = openBackground(log)
  const runs = openRuns({ db, timeout: 1000, log })
  // There is no directory here: it is only asked whether it has followed.
  const following: Pick<Reconciler, 'earlyClaim' | 'settle' | 'passwordUsed'> = {
    settle: async () => directory.settled,
    earlyClaim: () => noEarlyClaim,
    passwordUsed: async () => {},
  }
  const reconciler = following as Reconciler
  const mailCodes = openMailCodes({ db, key: mailCodeKey, now })
  const shared = { db, passwords, principals, throttle, reconciler }
  const nowhere = { exta: null, extb: null, extc: null, extldap: null }
  const importer = openImporter({
    ...{ db, runs, sources: nowhere, limit: { records: 20, share: 0.1 }, wins: 'source', mirrored: false },
    change: committedChange({ db, principals }),
    endSessions: async () => {},
    mobileKey: mobileKeys('CN'),
  })
  const sessionMax = 30 * 86_400_000
  const reuse = sessionAlerts({ db, alerts })
  const consoleSessions = openConsoleSessions({ db, tokens, principals, sessionAlerts: reuse, sessionMax, now })
  const { authenticate } = openCallers({ tokens, principals, consoleSessions, now })
  const signInProof = openSignInProof({
    provenPasswords: { signedIn: () => {} },
    ...{ ...shared, secondFactor: 'optional', noticeFactor: factorNotices({ outbox, timeZone: 'UTC' }), now },
    totp: totpFactors(factorKey),
    mailCodes,
  })
  const signing = publicHandlers({
    ...{ ...shared, signInProof },
    sessionAlerts: reuse,
    cipher,
    tokens,
    mailCodes,
    mail,
    background,
    passwordTools,
    sessionMax,
    log,
    now,
  })
  const reading = onPrimary(db)
  const handlers: Readonly<Record<string, never>> = {
    base: { ...signing, dashboard: openDashboard(reading) },
    users: {
      ...usersHandlers({ ...shared, outbox, reading, mobileKey: mobileKeys('CN') }),
      ...userRunStartHandlers({ ...shared, runs, importer }),
    },
  } as never

  const app = await buildApp({
    config: { basePath: '', bodyLimit: 1_048_576, corsOrigins: [], timeZone: 'UTC', trustProxy: true },
    log,
    documents: [{ document, handlers }],
    authenticate,
    tokens,
  })
  t.teardown(() => app.close())

  /** Every caller has an address of its own, so that tests do not share a rate limit. */
  const from = (address: string): Call => {
    const call = caller(app)
    return (id, input = {}) => call(id, { ...input, headers: { 'x-forwarded-for': address, ...input.headers } })
  }
  let addresses = 0
  const call: Call = (id, input) => {
    addresses += 1
    return from(`10.0.${addresses >> 8}.${addresses & 255}`)(id, input)
  }

  return {
    app,
    db,
    call,
    from,
    clock,
    counts,
    meanwhile,
    throttle,
    directory,
    lines,
    principals,
    /** The caller with this token, where they may call the operation. */
    callerOf: (token: string, operation: { method: string; path: string }) =>
      authenticate({ kind: 'bearer', token }, operation, { onIdentified: () => {}, onCookieRenewed: () => {} }),
    passwords,
    background,
    alerts,
    mailFolder,
    bootstrap: (options: { adminPassword?: string | null; documents?: (typeof directoryDocument)[] } = {}) =>
      bootstrap({
        db,
        passwords,
        documents: options.documents ?? [directoryDocument],
        adminPassword: options.adminPassword === undefined ? adminPassword : options.adminPassword,
      }),

    async addUser(username: string, { password = adminPassword, status = 1, role = '' } = {}): Promise<number> {
      const [user] = await db
        .insert(users)
        .values({
          username,
          usernameKey: matchingKey(username),
          nickname: username,
          mail: `${username}@example.org`,
          status,
          ...(await passwords.seal(password)),
        })
        .returning({ id: users.id })
      const id = user?.id ?? 0
      const [held] = await db.select({ id: roles.id }).from(roles).where(eq(roles.keyword, role))
      if (held) await db.insert(userRoles).values({ userId: id, roleId: held.id })
      return id
    },

    async signIn(username: string, password = adminPassword): Promise<string> {
      const { data, msg, code } = await call('login', { body: { username, password } })
      if (code !== 0) throw new Error(`${username} cannot sign in: ${msg}`)
      return data.token
    },

    /** The mails written since the last time, oldest first. */
    async mails(): Promise<string[]> {
      await background.drain()
      await Promise.all(sent)
      let files: string[] = []
      try {
        files = readdirSync(mailFolder).sort()
      } catch {}
      return files.map((file) => {
        const text = readFileSync(join(mailFolder, file), 'utf8')
        rmSync(join(mailFolder, file))
        return text
      })
    },
  }
}

export type Service = Awaited<ReturnType<typeof startService>>

/** The code in the newest mail. */
export const codeIn = (mails: readonly string[]): string => /code is (\d{6})\./.exec(mails.at(-1) ?? '')?.[1] ?? ''

export const uniqueName = (): string => `user-${randomBytes(4).toString('hex')}`
