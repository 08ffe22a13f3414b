import { eq, sql } from 'drizzle-orm'
import { mayCall } from '../access/may-call.ts'
import { menuRecords } from '../access/menu-records.ts'
import { permitOwn } from '../access/permits/users.ts'
import { endStepUps, holdUserToChange, requirePresentFactor } from '../access/step-up.ts'
import type { Outbox } from '../alerts/notifications/outbox.ts'
import type { ConsoleSessions } from '../auth/console-sessions.ts'
import { factorAttempts } from '../auth/factor-attempts.ts'
import type { IssuedCode, MailCodes } from '../auth/mail-codes.ts'
import { endMailedCodes } from '../auth/mail-codes.ts'
import type { Throttle } from '../auth/throttle.ts'
import type { Background } from '../concurrency/background.ts'
import { type ContractDocument, entryPath } from '../contract/document.ts'
import type { Principal, RequestContext } from '../contract/handler.ts'
import type { Db } from '../db/client.ts'
import { roles, secondFactors, sessions, userRoles, users } from '../db/schema.ts'
import type { MeHandlers } from '../generated/operations.ts'
import type { components } from '../generated/operations.types.ts'
import type { Mail, Message } from '../mail/open-mail.ts'
import { type MirroredOptions, mirroredChange } from '../mirror/mirrored.ts'
import { touch } from '../mirror/touch.ts'
import { stewardVersion } from '../runtime/version.ts'
import { mailboxKey } from '../text/throttle-keys.ts'
import { readValues, writeOwnValues } from './attributes/value-handlers.ts'
import { movedMessage } from './moved-mail.ts'
import { reasons } from './reasons.ts'
import { ownSshKeyHandlers } from './ssh-key-handlers.ts'
import { updateOwn } from './user-writes.ts'

type Me = components['schemas']['Me']

export interface MeOptions extends MirroredOptions {
  db: Db
  /** All documents that are served: the caller's grants are listed by their operations. */
  documents: readonly ContractDocument[]
  consoleSessions: Pick<ConsoleSessions, 'longest'>
  /** SESSION_MAX, milliseconds. */
  sessionMax: number
  mailCodes: MailCodes
  throttle: Throttle
  outbox: Pick<Outbox, 'mail'>
  mail: Mail
  background: Background
}

/** The caller's own profile, and what the caller may do. */
export const meHandlers = (options: MeOptions): MeHandlers => {
  const { db, documents, mailCodes, throttle, outbox, mail, background } = options
  const change = mirroredChange(options)
  const attempt = factorAttempts(options)
  const menus = menuRecords(db)
  const operations = documents.flatMap((document) =>
    document.operations.map(({ id, method, secured, ...operation }) => ({
      ...{ id, method, secured },
      path: entryPath(document, { id, method, secured, ...operation }),
    })),
  )

  return {
    getMe: ({ user, request }) => profileOf(options, user, request),

    async updateMe({ body: { name, language, theme }, user }) {
      const columns = {
        ...(name !== undefined && { nickname: name }),
        ...(language !== undefined && { language }),
        ...(theme !== undefined && { theme }),
      }
      if (Object.keys(columns).length === 0) return null
      return change(user, async (tx) => {
        await updateOwn(permitOwn(tx, user.userId, 'a session'), user.userId, columns)
        return { data: null, touched: name === undefined ? [] : await touch(tx, 'user', [user.userId]) }
      })
    },

    ...ownSshKeyHandlers(options),
    getMyAttributes: ({ user }) => readValues(db, 'user', user.userId, { user, whose: 'own' }),
    setMyAttributes: ({ body, user }) => change(user, (tx) => writeOwnValues(tx, body, user)),

    async sendMailProof({ body, user, request }) {
      await requirePresentFactor(db, user)
      const who = { username: user.username, address: request.address }
      // Every code counts, so that the limit protects a mailbox from being flooded.
      const counted = [`mailed-code:${user.userId}`, `send-${mailboxKey(body.mail)}`]
      await throttle.run({ counted, cleared: [], who }, async () => null)
      const issued = await mailCodes.issueAddress(user, body.mail)
      if (issued !== null) background.run('mailing a code', () => mail.send(proofMessage(issued)))
      return null
    },

    async confirmMail({ body: { code }, user, request }) {
      const redeemable = await attempt({ user, request }, () => mailCodes.checkAddress(user.userId, code))
      return change(user, async (tx) => {
        await holdUserToChange(tx, user)
        await requirePresentFactor(tx, user)
        if (!(await redeemable.spend(tx))) throw reasons.mail_proof_used()
        // Before the change: it is sent to the earlier address.
        await outbox.mail(tx, user.userId, movedMessage(user.username, redeemable.address, 'the person'))
        await updateOwn(permitOwn(tx, user.userId, 'a mailed code'), user.userId, { mail: redeemable.address })
        await endMailedCodes(tx, [user.userId])
        await endStepUps(tx, [user.userId], user.sessionId)
        return { data: null, touched: await touch(tx, 'user', [user.userId]) }
      })
    },

    async getMyGrants({ user }) {
      const granted = operations.filter(({ method, path, secured }) => !secured || mayCall(user, method, path))
      const shown = user.required === 'enrolment' ? [] : await menus.access(user.userId)
      return {
        operations: granted.map(({ id }) => id),
        menus: flattened(shown)
          .sort((a, b) => a.sort - b.sort || a.id - b.id)
          .map(({ id, parentId, name, title, path, icon, sort }) => ({ id, parentId, name, title, path, icon, sort })),
        rank: user.rank,
      }
    },
  }
}

const profileOf = async (
  { db, consoleSessions, sessionMax }: MeOptions,
  { userId, sessionId, rank, required }: Principal,
  { secure }: RequestContext,
): Promise<Me> => {
  const [row] = await db
    .select({
      username: users.username,
      name: users.nickname,
      mail: users.mail,
      language: users.language,
      theme: users.theme,
      mustChangePassword: users.mustChangePassword,
      console: sessions.console,
      openedAt: sessions.createdAt,
      secondFactor: sql<boolean>`exists (
        select from ${secondFactors} f where f.user_id = ${users.id} and f.confirmed_at is not null)`,
      roles: sql<Me['roles']>`(
        select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'keyword', r.keyword, 'sort', r.sort)
          order by r.sort, r.id), '[]')
        from ${userRoles} h join ${roles} r on r.id = h.role_id where h.user_id = ${users.id} and r.status = 1)`,
    })
    .from(users)
    .innerJoin(sessions, eq(sessions.userId, users.id))
    .where(sql`${users.id} = ${userId} and ${sessions.id} = ${sessionId}`)
  if (row === undefined) throw reasons.user_gone()
  const { console, openedAt, language, theme, ...profile } = row
  const endsAt = new Date(openedAt.getTime() + (console ? consoleSessions.longest : sessionMax)).toISOString()
  return {
    id: userId,
    ...profile,
    language: language as Me['language'],
    theme: theme as Me['theme'],
    rank,
    required: required ?? null,
    session: { id: sessionId, kind: console ? 'cookie' : 'bearer', secure, endsAt },
    version: stewardVersion,
  }
}

const flattened = <T extends { children: readonly T[] }>(nodes: readonly T[]): T[] =>
  nodes.flatMap((node) => [node, ...flattened(node.children)])

const proofMessage = ({ mail, username, code }: IssuedCode): Message => ({
  to: mail,
  subject: 'Confirm your new mail address',
  text: `User "${username}" wants to use this address.

The code is ${code}. It is valid for 10 minutes and can be used once.

If it was not you, do nothing: the address is not used.
`,
})
