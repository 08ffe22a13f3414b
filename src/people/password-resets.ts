import { sql } from 'drizzle-orm'
import type { UsersPermit } from '../access/permits/permit.ts'
import { permitAdmitted, permitFewer, permitUser, signInRefusals } from '../access/permits/users.ts'
import { requireStepUp } from '../access/step-up.ts'
import type { Outbox } from '../alerts/notifications/outbox.ts'
import type { MailCodes } from '../auth/mail-codes.ts'
import { resetPasswords } from '../auth/password-writes.ts'
import type { Passwords, SealedPassword } from '../auth/passwords.ts'
import { endSessions } from '../auth/sessions.ts'
import type { Background } from '../concurrency/background.ts'
import { semaphore } from '../concurrency/semaphore.ts'
import type { Principal } from '../contract/handler.ts'
import type { Db, Tx } from '../db/client.ts'
import { anyOfIds } from '../db/id-list.ts'
import { users } from '../db/schema.ts'
import type { Reason } from '../failures/reason-table.ts'
import type { AccountsHandlers } from '../generated/operations.ts'
import type { components } from '../generated/operations.types.ts'
import type { Mail, Message } from '../mail/open-mail.ts'
import { type MirroredOptions, mirroredChange } from '../mirror/mirrored.ts'
import { touch } from '../mirror/touch.ts'
import { isMailAddress } from '../text/identity-keys.ts'
import { randomPassword } from '../text/random-password.ts'
import { administratorsOf, noEffect, openSessions } from './bulk-actions.ts'
import { counted, namesOf, personResults } from './person-results.ts'
import { reasons } from './reasons.ts'

type Schemas = components['schemas']
type Way = Schemas['PasswordResetWay']

export interface PasswordResetsOptions extends MirroredOptions {
  db: Db
  passwords: Passwords
  mailCodes: Pick<MailCodes, 'issueLinks'>
  outbox: Pick<Outbox, 'mailAll'>
  mail: Mail
  background: Background
  /** PUBLIC_URL; null: the address by which the request came. */
  publicUrl: string | null
}

interface Reset {
  way: Way
  user: Principal
  /** Where links lead without PUBLIC_URL. */
  origin: string
  passwords: NewPasswords
}

/** Sets other passwords for users who forgot theirs, or whose password another person knows. */
export const passwordResets = (
  options: PasswordResetsOptions,
): Pick<AccountsHandlers, 'resetUserPassword' | 'resetUserPasswords'> => {
  const { db, passwords, mailCodes, outbox, mail, background, publicUrl } = options
  const change = mirroredChange(options)

  /** Why the passwords of some users of the permit may not be reset, by their ids. */
  const refusals = async (permit: UsersPermit, user: Principal, way: Way): Promise<Map<number, Reason>> => {
    // The caller chooses the Host header of a request: the link, and with it the token, would lead there.
    const by = way === 'shown' ? 'password' : publicUrl === null ? 'link' : null
    const beyond = by === null ? new Map<number, Reason>() : await signInRefusals(permit, user, by)
    const addresses = way === 'link' ? await addressesOf(permit) : null
    const refused = new Map<number, Reason>()
    for (const { id, status } of permit.users) {
      const reason =
        status !== 1
          ? reasons.user_disabled
          : (beyond.get(id) ?? (addresses?.has(id) === false && reasons.user_without_mail))
      if (reason) refused.set(id, reason)
    }
    return refused
  }

  /** Resets the passwords of all users of the permit. Returns what is to be mailed after the commit. */
  const reset = async (permit: UsersPermit, { way, user, origin, passwords }: Reset) => {
    const { tx, users: targets } = permit
    const ids = targets.map(({ id }) => id)
    await resetPasswords(permit, new Map(ids.map((id) => [id, passwords.of(id).sealed])), {
      mustChange: way === 'shown',
    })
    await endSessions(permit, ids, 'password')
    if (way === 'shown') {
      const by = user.username
      await outbox.mailAll(tx, new Map(targets.map(({ id, username }) => [id, resetMessage(username, by)])))
      return { messages: [], expiresAt: null }
    }
    const addresses = await addressesOf(permit)
    const { tokens, expiresAt } = await mailCodes.issueLinks(tx, ids)
    const messages = targets.map(({ id, username }) =>
      linkMessage({
        to: addresses.get(id) ?? '',
        username,
        by: user.username,
        url: `${publicUrl ?? origin}/console/password#${tokens.get(id) ?? ''}`,
      }),
    )
    return { messages, expiresAt: expiresAt.toISOString() }
  }

  /** Not through the outbox: the database would keep the links as long as its notifications. */
  const send = (messages: readonly Message[]): void => {
    if (messages.length === 0) return
    const mailing = semaphore(mailsAtOnce)
    background.run('mailing links', async () => {
      const sent = await Promise.allSettled(messages.map((message) => mailing.run(() => mail.send(message))))
      const failed = sent.find((each) => each.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    })
  }

  const mutationOf = async (tx: Tx, ids: readonly number[]) => ({
    touched: await touch(tx, 'user', ids, { withdraws: true }),
    callers: { userIds: [...ids] },
  })

  return {
    async resetUserPassword({ params: { id }, body: { way }, user, request: { origin } }) {
      const made = await newPasswords(passwords, way, [id])
      let messages: readonly Message[] = []
      const answer = await change(user, async (tx) => {
        await requireStepUp(tx, user)
        const permit = await permitUser(tx, user, id)
        const refusal = (await refusals(permit, user, way)).get(id)
        if (refusal !== undefined) throw refusal.row.kind === 'forbidden' ? refusal() : refusal.at('id')
        const done = await reset(permit, { way, user, origin, passwords: made })
        messages = done.messages
        const data = { password: made.of(id).shown, mail: messages[0]?.to ?? null, expiresAt: done.expiresAt }
        return { data, ...(await mutationOf(tx, [id])) }
      })
      send(messages)
      return answer
    },

    async resetUserPasswords({ body: { way, ids: asked, dryRun = false }, user, request: { origin } }) {
      const ids = [...new Set(asked)]
      const names = await namesOf(db, ids)
      /** Those who may be reset, and what the response says of all. */
      const admit = async (tx: Tx) => {
        const admitted = await permitAdmitted(tx, user, ids)
        for (const [id, refusal] of await refusals(admitted.permit, user, way)) {
          admitted.refused.set(id, refusal.problem('ids'))
        }
        const permit = permitFewer(
          admitted.permit,
          [...admitted.permit.ids].filter((id) => !admitted.refused.has(id)),
        )
        const people = personResults({ ids, names, refused: admitted.refused, changed: permit.ids })
        const effect = {
          ...noEffect,
          ...counted(people),
          sessionsEnded: await openSessions(tx, [...permit.ids]),
          administrators: administratorsOf(permit),
        }
        const results = (shown: (id: number) => string | null): Schemas['PersonReset'][] =>
          people.map((each) => ({
            ...each,
            username: names.get(each.id)?.username ?? '',
            password: each.result === 'changed' ? shown(each.id) : null,
          }))
        return { permit, effect, results }
      }
      if (dryRun) {
        return db.transaction(async (tx) => {
          const { effect, results } = await admit(tx)
          return { dryRun, effect, expiresAt: null, people: results(() => null) }
        })
      }
      const made = await newPasswords(passwords, way, ids)
      let messages: readonly Message[] = []
      const answer = await change(user, async (tx) => {
        await requireStepUp(tx, user)
        const { permit, effect, results } = await admit(tx)
        const done = await reset(permit, { way, user, origin, passwords: made })
        messages = done.messages
        const expiresAt = effect.changed === 0 ? null : done.expiresAt
        const data = { dryRun, effect, expiresAt, people: results((id) => made.of(id).shown) }
        return { data, ...(await mutationOf(tx, [...permit.ids])) }
      })
      send(messages)
      return answer
    },
  }
}

/** Mails of one request that are sent at the same time. */
const mailsAtOnce = 5

interface NewPasswords {
  /** `shown`: for the response; null where a link is mailed. */
  of(id: number): { shown: string | null; sealed: SealedPassword }
}

/**
 * A random password for each user. Where links are mailed all users get the same one, which is known to no person: the
 * reason for a reset may be that another person knows the earlier one.
 */
const newPasswords = async (
  { seal }: Pick<Passwords, 'seal'>,
  way: Way,
  ids: readonly number[],
): Promise<NewPasswords> => {
  if (way === 'link') {
    const sealed = await seal(randomPassword())
    return { of: () => ({ shown: null, sealed }) }
  }
  const made = new Map<number, { shown: string; sealed: SealedPassword }>()
  // One after the other: sign-ins need the same processors.
  for (const id of ids) {
    const shown = randomPassword()
    made.set(id, { shown, sealed: await seal(shown) })
  }
  return {
    of(id) {
      const password = made.get(id)
      if (password === undefined) throw new Error('No password was made for this user')
      return password
    },
  }
}

/** The addresses that mail can be sent to, of the users of the permit. */
const addressesOf = async ({ tx, users: ranked }: UsersPermit): Promise<Map<number, string>> => {
  const rows = await tx.execute<{ id: string; mail: string }>(sql`
    select ${users.id} as id, ${users.mail} as mail from ${users}
    where ${users.id} = ${anyOfIds(ranked.map(({ id }) => id))}`)
  return new Map(rows.filter(({ mail }) => isMailAddress(mail)).map(({ id, mail }) => [Number(id), mail]))
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
