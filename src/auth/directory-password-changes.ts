import { eq, sql } from 'drizzle-orm'
import { committedChange } from '../access/committed.ts'
import { permitOwn } from '../access/permits/users.ts'
import type { Principals } from '../access/principals.ts'
import { isAdministrator, rankedUsers } from '../access/seniority.ts'
import { alertOf } from '../alerts/alert.ts'
import type { Outbox } from '../alerts/notifications/outbox.ts'
import { raiseAlerts } from '../alerts/raise-alerts.ts'
import type { OperationLog } from '../audit/writer.ts'
import type { Journal } from '../contract/journal.ts'
import type { Db } from '../db/client.ts'
import { only } from '../db/request-fields.ts'
import { users } from '../db/schema.ts'
import { AppError, errorCodes } from '../failures/errors.ts'
import { normalizeDn } from '../ldap/dn.ts'
import { resultCodes } from '../ldap/result-code.ts'
import type { BindThrottle } from '../ldap-server/authentication/bind-throttle.ts'
import type { ChangePassword, PasswordChange } from '../ldap-server/authentication/change-password.ts'
import { LdapError } from '../ldap-server/result.ts'
import { userPlace } from '../mirror/entry/places.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import { touch } from '../mirror/touch.ts'
import { currentTime } from '../runtime/clock.ts'
import { displayTime } from '../text/display.ts'
import { usernameKey } from '../text/identity-keys.ts'
import { randomPassword } from '../text/random-password.ts'
import { resetPassword } from './password-writes.ts'
import type { Passwords } from './passwords.ts'
import { endSessions } from './sessions.ts'

export interface DirectoryPasswordChangesOptions {
  db: Db
  principals: Pick<Principals, 'announce' | 'drop'>
  passwords: Pick<Passwords, 'acceptNew' | 'seal' | 'verify'>
  outbox: Outbox
  journal: Pick<Journal, 'note'>
  /** Whether a change could be recorded now. */
  admits: OperationLog['admits']
  /** Counts old passwords that are wrong. */
  throttleBind: BindThrottle
  settle: Reconciler['settle']
  timeZone: string
}

/**
 * Changes passwords that people, or the administrator of the embedded directory, change there by RFC 3062 (ldappasswd,
 * mail and groupware servers). The rules, the end of the sessions, the notice and the log are those of a change over
 * HTTP. A password that the administrator sets has to be changed at the next sign-in.
 */
export const directoryPasswordChanges = (options: DirectoryPasswordChangesOptions): ChangePassword => {
  const { admits, journal } = options
  return async (change) => {
    const startedAt = new Date(currentTime())
    if (!(await admits())) {
      throw new LdapError(resultCodes.unavailable, 'the operation log cannot be written now: try again')
    }
    const note = (code: number, ids: readonly number[]): void =>
      journal.note({
        method: 'LDAP',
        path: '/password',
        summary: `Password changed over LDAP by ${change.by}`,
        username: change.account,
        authenticated: true,
        isPublic: false,
        address: change.address,
        userAgent: '',
        code,
        startedAt,
        milliseconds: currentTime() - startedAt.getTime(),
        ids,
        preview: false,
      })
    try {
      const { made, userId } = await changed(options, change, startedAt)
      note(0, [userId])
      return made
    } catch (error) {
      note(error instanceof AppError ? errorCodes[error.kind] : errorCodes.invalid, [])
      if (!(error instanceof AppError)) throw error
      throw new LdapError(
        error.kind === 'invalid' ? resultCodes.constraintViolation : resultCodes.unavailable,
        error.message,
      )
    }
  }
}

const notOfPerson = (): LdapError =>
  new LdapError(
    resultCodes.unwillingToPerform,
    'the entry is not that of an enabled person: its password cannot be changed',
  )

const changed = async (
  options: DirectoryPasswordChangesOptions,
  change: PasswordChange,
  at: Date,
): Promise<{ made: string | null; userId: number }> => {
  const { db, passwords, outbox, settle, timeZone } = options
  const [user] = await db
    .select({ id: users.id, username: users.username, hash: users.passwordHash })
    .from(users)
    .where(eq(users.usernameKey, usernameKey(change.account)))
  // An entry of that uid elsewhere is not the person's, and its password no proof for them.
  const isTheirs = user && normalizeDn(userPlace(change.baseDn, user.username, 1)) === normalizeDn(change.entryDn)
  if (!isTheirs) throw notOfPerson()
  await requireOldPassword(options, change, user.hash)
  const made = change.newPassword === null ? randomPassword() : null
  const sealed = await passwords.seal(
    made ?? passwords.acceptNew('newPassword', change.newPassword ?? '', user.username),
  )
  const { touched } = await committedChange(options)('a proof', async (tx) => {
    // As it was when it was proven: the password may have been changed since, or the id may be another person's now.
    const [same] = await tx
      .select({ id: users.id })
      .from(users)
      .where(sql`${users.id} = ${user.id} and ${users.username} = ${user.username}
        and ${users.passwordHash} is not distinct from ${user.hash}`)
      .for('no key update')
    if (same === undefined) throw notOfPerson()
    const [target] = await rankedUsers(tx, [user.id], only('id'))
    const permit = permitOwn(tx, user.id, 'the directory')
    const mustChange = change.by === 'the administrator'
    if (!target || !(await resetPassword(permit, user.id, sealed, { mustChange }))) throw notOfPerson()
    await endSessions(permit, [user.id], 'password')
    await outbox.mail(tx, user.id, noticeOf(user.username, change, `${displayTime(at, timeZone)} (${timeZone})`))
    if (mustChange && isAdministrator(target)) {
      await raiseAlerts(tx, outbox, [alertOf('adoptedAdministratorPassword', { username: user.username })])
    }
    return {
      touched: await touch(tx, 'user', [user.id], { withdraws: true }),
      callers: { userIds: [user.id] },
    }
  })
  await settle(touched)
  return { made, userId: user.id }
}

/** A wrong old password counts like a bind with it; without one the bind was the proof (RFC 3062 section 2). */
const requireOldPassword = async (
  { passwords, throttleBind }: DirectoryPasswordChangesOptions,
  { oldPassword, account, entryDn, address }: PasswordChange,
  hash: string | null,
): Promise<void> => {
  if (oldPassword === null) return
  const attempt = { account, entryDn, address, dnKey: normalizeDn(entryDn), isService: false }
  if (await throttleBind(attempt, () => passwords.verify(hash, oldPassword))) return
  throw new LdapError(resultCodes.unwillingToPerform, 'unwilling to verify old password')
}

const noticeOf = (username: string, { by, address }: PasswordChange, at: string) => ({
  subject: 'Your password was changed',
  text: `The password of the account "${username}" was changed over LDAP at ${at} from ${address}, by ${
    by === 'the person' ? 'a program that signed in as you' : 'the administrator of the directory'
  }. All earlier sign-ins have ended.

If it was neither you nor an administrator you have asked, tell an administrator now.
`,
})
