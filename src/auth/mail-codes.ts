import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { changeFor } from '../access/committed.ts'
import type { Caller } from '../access/seniority.ts'
import type { Author } from '../access/standing.ts'
import type { Db, Queryable, Tx } from '../db/client.ts'
import { anyOfIds, anyOfIdsAt, idsValue } from '../db/id-list.ts'
import { keptStatement, type Slots } from '../db/kept-statement.ts'
import { mailCodes, sessions, stepUpCodes, users } from '../db/schema.ts'
import { withoutWaiting } from '../db/without-waiting.ts'
import { currentTime } from '../runtime/clock.ts'
import { isMailAddress, mailKey, mailKeyOf } from '../text/identity-keys.ts'

/** Milliseconds. */
const codeLifetime = 600_000
const linkLifetime = 86_400_000
const tries = 5

/** A code that was stored and has to be mailed. */
export interface IssuedCode {
  /** Where it is sent. */
  mail: string
  username: string
  /** 6 digits. */
  code: string
}

/** A right code. Only the first caller of `spend` may use it. */
export interface Redeemable {
  userId: number
  username: string
  /** The address in the user's record. */
  mail: string
  /** For a code of a new address: that address. */
  address: string
  /** false: another request was faster. Call it inside the transaction that does what the code allows. */
  spend(tx: Tx): Promise<boolean>
}

/** A check uses one of the code's five attempts. null: a wrong, used or expired code, or one that was sent elsewhere. */
export interface MailCodes {
  /** A code for the enabled user with this address, to choose a new password; null: no enabled user has it. */
  issuePassword(mail: string): Promise<IssuedCode | null>
  checkPassword(mail: string, code: string): Promise<Redeemable | null>
  /** A code to sign in with, for the user's present address; null: they have none, or are disabled. */
  issueSignIn(userId: number): Promise<IssuedCode | null>
  checkSignIn(userId: number, code: string): Promise<Redeemable | null>
  /** A code that proves a new address of an enabled user; null: they are disabled. */
  issueAddress(caller: Caller, address: string): Promise<IssuedCode | null>
  checkAddress(userId: number, code: string): Promise<Redeemable | null>
  /**
   * The token of a link for each of these users, by which they set a password, and when the links end. Call it where the
   * passwords are replaced.
   */
  issueLinks(tx: Tx, userIds: readonly number[]): Promise<{ tokens: Map<number, string>; expiresAt: Date }>
  checkLink(token: string): Promise<Redeemable | null>
}

type Purpose = 'password' | 'sign-in' | 'address' | 'link'

/** As many as a person can type from a mail. */
export const sixDigits = (): string => String(randomInt(1_000_000)).padStart(6, '0')

const hasAddress = (mail: string): SQL | undefined =>
  and(eq(mailKeyOf(users.mail), mailKey(mail)), sql`${users.mail} <> ''`)

/**
 * Codes that prove access to a mailbox: at most one of each purpose per user. A million possibilities are searched
 * quickly, so they are stored under a keyed hash: the database alone does not reveal them. A code belongs to one user and
 * to the address that they had, and ends with either (see endMailedCodes).
 * @param key 32 bytes
 */
export const openMailCodes = ({
  db,
  key,
  now = currentTime,
}: {
  db: Db
  key: Buffer
  now?: () => number
}): MailCodes => {
  const hashOf = (purpose: Purpose, text: string): string =>
    createHmac('sha256', key).update(`${purpose}:${text}`).digest('base64url')
  const codeHash = (purpose: Purpose, userId: number, code: string): string => hashOf(purpose, `${userId}:${code}`)

  /** Sends six digits to the own address of the user that `who` selects, or to a new one. */
  const issue = (
    purpose: Purpose,
    who: SQL | undefined,
    address: string | null,
    author: Author = 'a proof',
  ): Promise<IssuedCode | null> =>
    changeFor(db, author, async (tx) => {
      // Locked until the code is stored: a change that ends codes ends this one too.
      const [user] = await tx
        .select({ id: users.id, username: users.username, mail: users.mail })
        .from(users)
        .where(and(who, eq(users.status, 1)))
        .for('share')
      const to = address ?? user?.mail ?? ''
      if (user === undefined || !isMailAddress(to)) return null
      const code = sixDigits()
      const fresh = {
        ...{ userId: user.id, purpose, address: address ?? '', mailKey: mailKey(user.mail) },
        codeHash: codeHash(purpose, user.id, code),
        expiresAt: new Date(now() + codeLifetime),
        triesLeft: tries,
      }
      await tx
        .insert(mailCodes)
        .values(fresh)
        .onConflictDoUpdate({ target: [mailCodes.userId, mailCodes.purpose], set: fresh })
      return { mail: to, username: user.username, code }
    })

  /** Uses one attempt of the code that `which` selects, where it has the hash. */
  const check = async (
    purpose: Purpose,
    which: SQL | undefined,
    hash: (userId: number) => string,
  ): Promise<Redeemable | null> => {
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
        mail: users.mail,
        address: mailCodes.address,
        codeHash: mailCodes.codeHash,
        // Otherwise only an attempt at an address that a code was mailed to would wait for the disk here, and an attacker who
        // measures that would learn who has an account. The failure that is counted next waits for both.
        unawaited: withoutWaiting,
      })
    if (pending === undefined) return null
    const { codeHash, unawaited: _, ...owner } = pending
    // Keyed hashes of equal length: where they differ first says nothing about the code.
    if (codeHash !== hash(owner.userId)) return null
    return {
      ...owner,
      async spend(tx) {
        const its = and(eq(mailCodes.userId, owner.userId), eq(mailCodes.purpose, purpose))
        const spent = await tx
          .delete(mailCodes)
          .where(and(its, eq(mailCodes.codeHash, codeHash)))
          .returning({ userId: mailCodes.userId })
        return spent.length > 0
      },
    }
  }

  const checkCode = (purpose: Purpose, which: SQL | undefined, code: string): Promise<Redeemable | null> =>
    check(purpose, which, (userId) => codeHash(purpose, userId, code))

  return {
    issuePassword: (mail) => issue('password', hasAddress(mail), null),
    checkPassword: (mail, code) => checkCode('password', hasAddress(mail), code),
    issueSignIn: (userId) => issue('sign-in', eq(users.id, userId), null),
    checkSignIn: (userId, code) => checkCode('sign-in', eq(users.id, userId), code),
    issueAddress: (caller, address) => issue('address', eq(users.id, caller.userId), address, caller),
    checkAddress: (userId, code) => checkCode('address', eq(users.id, userId), code),

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
      return check('link', eq(mailCodes.codeHash, hash), () => hash)
    },
  }
}

/**
 * Ends the codes that were mailed to these users, for a new password and for a step-up. Call it in the transaction that
 * changes a user's address, and wherever their sessions end.
 */
export const endMailedCodes = async (tx: Queryable, userIds: readonly number[]): Promise<void> => {
  if (userIds.length > 0) await tx.execute(endingCodes({ ids: idsValue(userIds) }, userIds.length === 1))
}

const endingCodes = keptStatement((at: Slots<{ ids: number | string }>, isOne: boolean) => {
  const theirs = anyOfIdsAt(at.ids, isOne)
  return sql`
    with mailed as (delete from ${mailCodes} where ${mailCodes.userId} = ${theirs})
    delete from ${stepUpCodes} where ${stepUpCodes.sessionId} in (
      select ${sessions.id} from ${sessions} where ${sessions.userId} = ${theirs})`
})

/** Ends the codes that were mailed to these users for a step-up, in all their sessions. */
export const endStepUpCodes = async (tx: Queryable, userIds: readonly number[]): Promise<void> => {
  await tx.delete(stepUpCodes).where(
    sql`${stepUpCodes.sessionId} in (
      select ${sessions.id} from ${sessions} where ${sessions.userId} = ${anyOfIds(userIds)})`,
  )
}
