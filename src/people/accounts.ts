import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { permitUser, requireMaySignInAs } from '../access/permits/users.ts'
import { requireStepUp } from '../access/step-up.ts'
import { causeOf } from '../alerts/alert.ts'
import type { Outbox } from '../alerts/notifications/outbox.ts'
import { forgetFailures } from '../auth/attempt-counter.ts'
import { resetPassword } from '../auth/password-writes.ts'
import type { Passwords } from '../auth/passwords.ts'
import type { PurposeCodes } from '../auth/purpose-codes.ts'
import { endSessions } from '../auth/sessions.ts'
import type { Background } from '../background.ts'
import type { Db, Tx } from '../db/client.ts'
import { alerts, users } from '../db/schema.ts'
import type { AccountsHandlers } from '../generated/operations.ts'
import type { Mail, Message } from '../mail/mail.ts'
import { type MirroredOptions, mirroredChange } from '../mirror/mirrored.ts'
import { touch } from '../mirror/touch.ts'
import { isMailAddress } from '../text/identity-keys.ts'
import { randomPassword } from '../text/random-password.ts'
import { accountKey, mailboxKey } from '../text/throttle-keys.ts'
import { reasons } from './reasons.ts'

export interface AccountsOptions extends MirroredOptions {
  db: Db
  passwords: Passwords
  purposeCodes: Pick<PurposeCodes, 'issueLink'>
  outbox: Pick<Outbox, 'mail'>
  mail: Mail
  background: Background
  /** PUBLIC_URL; null: the address by which the request came. */
  publicUrl: string | null
}

/** Help for users who cannot sign in. */
export const accountsHandlers = (options: AccountsOptions): AccountsHandlers => {
  const { db, passwords, purposeCodes, outbox, mail, background, publicUrl } = options
  const change = mirroredChange(options)

  return {
    async resetUserPassword({ params: { id }, body: { way }, user, request }) {
      const password = randomPassword()
      // For a link too: the reason for a reset may be that another person knows the password.
      const sealed = await passwords.seal(password)
      let message: Message | null = null
      const answer = await change(async (tx) => {
        await requireStepUp(tx, user)
        const permit = await permitUser(tx, user, id)
        const target = permit.user
        if (target.status !== 1) throw reasons.user_disabled.at('id')
        if (way === 'shown') await requireMaySignInAs(permit, user, target, 'password')
        // The caller chooses the Host header of a request: the link, and with it the token, would lead there.
        else if (publicUrl === null) await requireMaySignInAs(permit, user, target, 'link')
        const address = way === 'link' ? await addressOf(tx, id) : null
        if (address === '') throw reasons.user_without_mail.at('id')
        await resetPassword(permit, id, sealed, { mustChange: way === 'shown' })
        await endSessions(permit, [id], 'password')
        const link = address === null ? null : await purposeCodes.issueLink(tx, id)
        if (address !== null && link !== null) {
          const url = `${publicUrl ?? request.origin}/console/password#${link.token}`
          message = linkMessage({ to: address, username: target.username, by: user.username, url })
        } else await outbox.mail(tx, id, resetMessage(target.username, user.username))
        return {
          data: {
            password: way === 'shown' ? password : null,
            mail: address,
            expiresAt: link?.expiresAt.toISOString() ?? null,
          },
          touched: await touch(tx, 'user', [id], { withdraws: true }),
          callers: { userIds: [id] },
        }
      })
      const written = message as Message | null
      // Not through the outbox: the database would keep the link as long as its notifications.
      if (written !== null) background.run('mailing a link', () => mail.send(written))
      return answer
    },

    async unlockUser({ params: { id }, user }) {
      const wasLocked = await db.transaction(async (tx) => {
        const { user: target } = await permitUser(tx, user, id)
        const address = await addressOf(tx, id)
        const mailbox = address === '' ? [] : [mailboxKey(address), `send-${mailboxKey(address)}`]
        const keys = [accountKey(target.username), `second-factor:${id}`, `mailed-code:${id}`, ...mailbox]
        const wasLocked = await forgetFailures(tx, keys)
        const causes = [
          ...['account', 'second-factor', 'mailed-code'].map((kind) => ({ kind, subject: target.username })),
          ...(address === '' ? [] : ['mail', 'send-mail'].map((kind) => ({ kind, subject: address }))),
        ].map((attempts) => causeOf('attemptsLocked', attempts))
        await tx
          .update(alerts)
          .set({ handledAt: sql`now()`, handledBy: user.username })
          .where(and(inArray(alerts.cause, causes), isNull(alerts.handledAt)))
        return wasLocked
      })
      return { wasLocked }
    },
  }
}

/** The mail address of a user; empty: none that mail can be sent to. */
const addressOf = async (tx: Tx, id: number): Promise<string> => {
  const [row] = await tx.select({ mail: users.mail }).from(users).where(eq(users.id, id))
  return row !== undefined && isMailAddress(row.mail) ? row.mail : ''
}

interface MailedLink {
  to: string
  username: string
  by: string
  url: string
}

const linkMessage = ({ to, username, by, url }: MailedLink): Message => ({
  to,
  subject: 'Set a new password',
  text: `${by} has reset the password of the account "${username}". Choose a new one here:

${url}

The link is valid for 24 hours and can be used once. The earlier password is not valid any more, and all sign-ins have
ended.
`,
})

const resetMessage = (username: string, by: string): Omit<Message, 'to'> => ({
  subject: 'Your password was reset',
  text: `${by} has reset the password of the account "${username}". All sign-ins have ended. ${by} tells you the new password, and
your next sign-in asks for another one.

If you have not asked for it, tell an administrator.
`,
})
