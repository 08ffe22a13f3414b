import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { changeFor } from '../access/committed.ts'
import { permitUser } from '../access/permits/users.ts'
import { requirePresentFactor } from '../access/step-up.ts'
import { causeOf } from '../alerts/alert.ts'
import { forgetFailures, knownNameKeys } from '../auth/attempt-counter.ts'
import type { Tx } from '../db/client.ts'
import { alerts, users } from '../db/schema.ts'
import type { AccountsHandlers } from '../generated/operations.ts'
import { isMailAddress } from '../text/identity-keys.ts'
import { accountKey, mailboxKey } from '../text/throttle-keys.ts'
import { type PasswordResetsOptions, passwordResets } from './password-resets.ts'

export type AccountsOptions = PasswordResetsOptions

/** Help for users who cannot sign in. */
export const accountsHandlers = (options: AccountsOptions): AccountsHandlers => {
  const { db } = options

  return {
    ...passwordResets(options),

    async unlockUser({ params: { id }, user }) {
      const wasLocked = await changeFor(db, user, async (tx) => {
        const { user: target } = await permitUser(tx, user, id)
        // Otherwise a stolen token alone could go on guessing the password and the codes of the person.
        await requirePresentFactor(tx, user)
        const address = await addressOf(tx, id)
        const mailbox = address === '' ? [] : [mailboxKey(address), `send-${mailboxKey(address)}`]
        const account = accountKey(target.username)
        const apart = await knownNameKeys(tx, account)
        const keys = [account, ...apart, `second-factor:${id}`, `mailed-code:${id}`, ...mailbox]
        const wasLocked = await forgetFailures(tx, keys)
        const causes = [
          ...['account', 'directory-name', 'second-factor', 'mailed-code'].map((kind) => ({
            kind,
            subject: target.username,
          })),
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
