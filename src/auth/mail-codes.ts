import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Db, Queryable, Tx } from '../db/client.ts'
import { idList } from '../db/id-list.ts'
import { mailCodes, sessions, stepUpCodes, users } from '../db/schema.ts'
import { isMailAddress, mailKey, mailKeyOf } from '../text/identity-keys.ts'

/** Milliseconds a code is valid. */
const lifetime = 600_000
const tries = 5

export interface IssuedCode {
  /** 6 digits. */
  code: string
  username: string
  /** The address in the user's record. */
  mail: string
}

/** A right code. Only the first caller of `spend` may use it. */
export interface RedeemableCode {
  userId: number
  username: string
  mail: string
  /** false: another request was faster. Call it inside the transaction that does what the code allows. */
  spend(tx: Tx): Promise<boolean>
}

export interface MailCodes {
  /** A new code for the enabled user with this address, replacing an older one; null: no enabled user has it. */
  issue(mail: string): Promise<IssuedCode | null>
  /** Uses one of the code's five attempts. null: a wrong, used or expired code, or one that was sent elsewhere. */
  check(mail: string, code: string): Promise<RedeemableCode | null>
}

/**
 * Codes that prove access to a mailbox. A million possibilities are searched quickly, so they are stored under a keyed
 * hash: the database alone does not reveal them. A code belongs to one user and to the address it was sent to, and ends
 * with either (see endMailedCodes).
 */
export const openMailCodes = ({ db, key, now = Date.now }: { db: Db; key: Buffer; now?: () => number }): MailCodes => {
  const hashOf = (userId: number, code: string): Buffer =>
    createHmac('sha256', key).update(`${userId}:${code}`).digest()
  const hasMail = (mail: string) => and(eq(mailKeyOf(users.mail), mailKey(mail)), sql`${users.mail} <> ''`)

  return {
    issue: (mail) =>
      db.transaction(async (tx) => {
        // Locked until the code is stored: a change that ends codes ends this one too.
        const [user] = await tx
          .select({ id: users.id, username: users.username, mail: users.mail })
          .from(users)
          .where(and(hasMail(mail), eq(users.status, 1)))
          .for('share')
        if (user === undefined || !isMailAddress(user.mail)) return null
        const code = String(randomInt(1_000_000)).padStart(6, '0')
        const fresh = {
          mailKey: mailKey(user.mail),
          codeHash: hashOf(user.id, code).toString('base64url'),
          expiresAt: new Date(now() + lifetime),
          triesLeft: tries,
        }
        await tx
          .insert(mailCodes)
          .values({ userId: user.id, ...fresh })
          .onConflictDoUpdate({ target: [mailCodes.userId, mailCodes.purpose], set: fresh })
        return { code, username: user.username, mail: user.mail }
      }),

    async check(mail, code) {
      const [pending] = await db
        .update(mailCodes)
        .set({ triesLeft: sql`${mailCodes.triesLeft} - 1` })
        .from(users)
        .where(
          and(
            eq(users.id, mailCodes.userId),
            eq(mailCodes.purpose, 'password'),
            hasMail(mail),
            eq(mailCodes.mailKey, mailKeyOf(users.mail)),
            eq(users.status, 1),
            sql`${mailCodes.triesLeft} > 0`,
            sql`${mailCodes.expiresAt} > ${new Date(now()).toISOString()}::timestamptz`,
          ),
        )
        .returning({
          userId: mailCodes.userId,
          codeHash: mailCodes.codeHash,
          username: users.username,
          mail: users.mail,
        })
      if (pending === undefined) return null
      if (!timingSafeEqual(Buffer.from(pending.codeHash, 'base64url'), hashOf(pending.userId, code))) return null
      const { userId, codeHash, username, mail: address } = pending
      return {
        userId,
        username,
        mail: address,
        async spend(tx) {
          const spent = await tx
            .delete(mailCodes)
            .where(
              and(eq(mailCodes.userId, userId), eq(mailCodes.purpose, 'password'), eq(mailCodes.codeHash, codeHash)),
            )
            .returning({ userId: mailCodes.userId })
          return spent.length > 0
        },
      }
    },
  }
}

/**
 * Ends the codes that were mailed to these users, for a new password and for a step-up. Call it in the transaction that
 * changes a user's address, and wherever their sessions end.
 */
export const endMailedCodes = async (tx: Queryable, userIds: readonly number[]): Promise<void> => {
  if (userIds.length === 0) return
  await tx.delete(mailCodes).where(sql`${mailCodes.userId} in (${idList(userIds)})`)
  await endStepUpCodes(tx, userIds)
}

/** Ends the codes that were mailed to these users for a step-up, in all their sessions. */
export const endStepUpCodes = async (tx: Queryable, userIds: readonly number[]): Promise<void> => {
  await tx.delete(stepUpCodes).where(
    sql`${stepUpCodes.sessionId} in (
      select ${sessions.id} from ${sessions} where ${sessions.userId} in (${idList(userIds)}))`,
  )
}
