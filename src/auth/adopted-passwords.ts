import { eq } from 'drizzle-orm'
import { committedChange } from '../access/committed.ts'
import { permitOwn } from '../access/permits/users.ts'
import type { Principals } from '../access/principals.ts'
import { isAdministrator, rankedUsers } from '../access/seniority.ts'
import { alertOf } from '../alerts/alert.ts'
import type { Outbox } from '../alerts/notifications/outbox.ts'
import { raiseAlerts } from '../alerts/raise-alerts.ts'
import type { OperationLog } from '../audit/writer.ts'
import type { Db } from '../db/client.ts'
import { only } from '../db/request-fields.ts'
import { users } from '../db/schema.ts'
import type { AdoptPassword } from '../mirror/reconciler.ts'
import { touch } from '../mirror/touch.ts'
import { currentTime } from '../runtime/clock.ts'
import type { Logger } from '../runtime/log.ts'
import { displayTime } from '../text/display.ts'
import { resetPassword } from './password-writes.ts'
import type { Passwords } from './passwords.ts'
import { endSessions } from './sessions.ts'

export interface AdoptedPasswordsOptions {
  db: Db
  principals: Pick<Principals, 'announce' | 'drop'>
  passwords: Pick<Passwords, 'sealFound'>
  operationLog: Pick<OperationLog, 'append'>
  outbox: Outbox
  timeZone: string
  log: Logger
}

/**
 * Adopts a password that was changed in the directory (ldappasswd, PAM): it is valid for the person's account here too,
 * all sessions end, and the operation log and the person are told. A system that may write `userPassword` in the
 * directory can thus become the person here; for an administrator an alert is raised at once.
 */
export const adoptedPasswords =
  (options: AdoptedPasswordsOptions): AdoptPassword =>
  async (userId, value, instead) => {
    const { passwords, operationLog, outbox, timeZone, log } = options
    const startTime = new Date(currentTime())
    const sealed = await passwords.sealFound(value)
    const adopted = await committedChange(options)('a proof', async (tx) => {
      const [kept] = await tx
        .select({ hash: users.passwordHash, directory: users.directoryPassword, status: users.status })
        .from(users)
        .where(eq(users.id, userId))
        .for('no key update')
      const now = kept?.directory ?? (kept?.hash ? `{ARGON2}${kept.hash}` : null)
      // The password was changed here, or the person disabled, since the directory was read: that change wins.
      if (kept?.status !== 1 || now !== instead) return { username: null }
      const [user] = await rankedUsers(tx, [userId], only('id'))
      const permit = permitOwn(tx, userId, 'the directory')
      if (user === undefined || !(await resetPassword(permit, userId, sealed))) return { username: null }
      await endSessions(permit, [userId], 'password')
      await touch(tx, 'user', [userId])
      await outbox.mail(tx, userId, noticeOf(user.username, displayTime(startTime, timeZone), timeZone))
      if (isAdministrator(user))
        await raiseAlerts(tx, outbox, [alertOf('adoptedAdministratorPassword', { username: user.username })])
      return { username: user.username, callers: { userIds: [userId] } }
    })
    const { username } = adopted
    if (username === null) return
    log.warn({ userId, username }, 'a password that was changed in the directory was taken over')
    operationLog.append({
      username,
      ip: '',
      method: 'LDAP',
      path: '/directory/userPassword',
      remark: 'Password changed in the directory and taken over; all sessions ended',
      status: 0,
      startTime,
      timeCost: currentTime() - startTime.getTime(),
      userAgent: '',
      target: [userId],
      times: 1,
      preview: false,
    })
  }

const noticeOf = (username: string, at: string, timeZone: string) => ({
  subject: 'Your password was changed in the directory',
  text: `The password of the account "${username}" was changed in the directory, at ${at} (${timeZone}) or shortly before. It
is now your password here, too. All earlier sign-ins have ended.

If it was neither you nor an administrator you have asked, tell an administrator now.
`,
})
