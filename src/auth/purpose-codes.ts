import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/client.ts'
import { mailCodes, users } from '../db/schema.ts'
import { isMailAddress, mailKey, mailKeyOf } from '../text/identity-keys.ts'

/** Milliseconds. */
const codeLifetime = 600_000
const linkLifetime = 86_400_000
const tries = 5

/** A code that was stored and has to be mailed. */
export interface SentCode {
  mail: string
  username: string
  /** 6 digits. */
  code: string
}

/** A right code. Only the first caller of `spend` may use it: false for the others. */
export interface Redeemable {
  userId: number
  username: string
  /** For a code of a new address: that address. */
  address: string
  spend(tx: Tx): Promise<boolean>
}

export interface PurposeCodes {
  /** A code to sign in with, for the user's present address; null: they have none, or are disabled. */
  issueSignIn(userId: number): Promise<SentCode | null>
  /** Uses one of the code's five attempts. null: a wrong, used or expired code, or one that was sent elsewhere. */
  checkSignIn(userId: number, code: string): Promise<Redeemable | null>
  /** A code that proves a new address of an enabled user; null: they are disabled. */
  issueAddress(userId: number, address: string): Promise<SentCode | null>
  checkAddress(userId: number, code: string): Promise<Redeemable | null>
  /**
   * The token of a link for each of these users, by which they set a password, and when the links end. Call it where the
   * passwords are replaced.
   */
  issueLinks(tx: Tx, userIds: readonly number[]): Promise<{ tokens: Map<number, string>; expiresAt: Date }>
  checkLink(token: string): Promise<Redeemable | null>
}

type Purpose = 'sign-in' | 'address' | 'link'

/**
 * Mailed codes for other purposes than a forgotten password: at most one of each per user, under a keyed hash. All end
 * with the user's address, password and sessions (see endMailedCodes).
 * @param key 32 bytes
 */
export const openPurposeCodes = ({
  db,
  key,
  now = Date.now,
}: {
  db: Db
  key: Buffer
  now?: () => number
}): PurposeCodes => {
  const hashOf = (purpose: Purpose, text: string): string =>
    createHmac('sha256', key).update(`${purpose}:${text}`).digest('base64url')

  const store = async (
    tx: Tx,
    code: { userId: number; purpose: Purpose; mailKey: string; address: string; codeHash: string; expiresAt: Date },
  ): Promise<void> => {
    const fresh = { ...code, triesLeft: tries }
    await tx
      .insert(mailCodes)
      .values(fresh)
      .onConflictDoUpdate({ target: [mailCodes.userId, mailCodes.purpose], set: fresh })
  }

  /** Sends six digits to the user's own address, or to a new one. */
  const issue = (userId: number, purpose: Purpose, address: string | null): Promise<SentCode | null> =>
    db.transaction(async (tx) => {
      // Locked until the code is stored: a change that ends codes ends this one too.
      const [user] = await tx
        .select({ username: users.username, mail: users.mail })
        .from(users)
        .where(and(eq(users.id, userId), eq(users.status, 1)))
        .for('share')
      const to = address ?? user?.mail ?? ''
      if (user === undefined || !isMailAddress(to)) return null
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      await store(tx, {
        ...{ userId, purpose, address: address ?? '', mailKey: mailKey(user.mail) },
        codeHash: hashOf(purpose, `${userId}:${code}`),
        expiresAt: new Date(now() + codeLifetime),
      })
      return { mail: to, username: user.username, code }
    })

  /** Uses one attempt of the code that `which` selects, where it has the hash. */
  const check = async (purpose: Purpose, which: SQL | undefined, hash: string): Promise<Redeemable | null> => {
    const [pending] = await db
      .update(mailCodes)
      .set({ triesLeft: sql`${mailCodes.triesLeft} - 1` })
      .from(users)
      .where(
        and(
          eq(mailCodes.purpose, purpose),
          which,
          eq(users.id, mailCodes.userId),
          eq(users.status, 1),
          eq(mailCodes.mailKey, mailKeyOf(users.mail)),
          gt(mailCodes.triesLeft, 0),
          gt(mailCodes.expiresAt, new Date(now())),
        ),
      )
      .returning({
        userId: mailCodes.userId,
        username: users.username,
        address: mailCodes.address,
        codeHash: mailCodes.codeHash,
      })
    // Keyed hashes of equal length: where they differ first says nothing about the code.
    if (pending === undefined || pending.codeHash !== hash) return null
    const { userId, username, address } = pending
    return {
      ...{ userId, username, address },
      async spend(tx) {
        const spent = await tx
          .delete(mailCodes)
          .where(and(eq(mailCodes.userId, userId), eq(mailCodes.purpose, purpose), eq(mailCodes.codeHash, hash)))
          .returning({ userId: mailCodes.userId })
        return spent.length > 0
      },
    }
  }

  const checkCode = (purpose: Purpose, userId: number, code: string): Promise<Redeemable | null> =>
    check(purpose, eq(mailCodes.userId, userId), hashOf(purpose, `${userId}:${code}`))

  return {
    issueSignIn: (userId) => issue(userId, 'sign-in', null),
    checkSignIn: (userId, code) => checkCode('sign-in', userId, code),
    issueAddress: (userId, address) => issue(userId, 'address', address),
    checkAddress: (userId, code) => checkCode('address', userId, code),

    async issueLinks(tx, userIds) {
      const tokens = new Map(userIds.map((id) => [id, randomBytes(32).toString('base64url')]))
      const expiresAt = new Date(now() + linkLifetime)
      const links = [...tokens].map(([id, token]) => ({ id, hash: hashOf('link', token) }))
      await tx.execute(sql`
        insert into ${mailCodes} (user_id, purpose, mail_key, address, code_hash, expires_at, tries_left)
        select ${users.id}, 'link', ${mailKeyOf(users.mail)}, '', l.hash, ${expiresAt.toISOString()}::timestamptz, ${tries}::int
        from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as l (id bigint, hash text)
        join ${users} on ${users.id} = l.id
        order by ${users.id}
        on conflict (user_id, purpose) do update set mail_key = excluded.mail_key, address = excluded.address,
          code_hash = excluded.code_hash, expires_at = excluded.expires_at, tries_left = excluded.tries_left`)
      return { tokens, expiresAt }
    },

    checkLink(token) {
      const hash = hashOf('link', token)
      return check('link', eq(mailCodes.codeHash, hash), hash)
    },
  }
}
