import type { Outbox } from '../../alerts/notifications/outbox.ts'
import type { Tx } from '../../db/client.ts'
import { currentTime } from '../../runtime/clock.ts'
import { displayTime } from '../../text/display.ts'

/** Changes of a user's second factor. */
export type FactorEvent =
  | { kind: 'enrolled' }
  | { kind: 'disabled' }
  | { kind: 'reset'; by: string }
  | { kind: 'codes renewed' }
  | { kind: 'code used'; left: number }

export interface NoticedChange {
  user: { id: number; username: string }
  event: FactorEvent
  /** The address the request came from. */
  from: string
}

/**
 * Tells the user, if they have an address, that their second factor has changed: an attacker with a stolen password
 * cannot go unnoticed. Written in the transaction of the change, sent like the notifications of alerts.
 */
export type NoticeFactor = (tx: Tx, change: NoticedChange) => Promise<void>

export const factorNotices =
  ({ outbox, timeZone }: { outbox: Pick<Outbox, 'mail'>; timeZone: string }): NoticeFactor =>
  async (tx, { user: { id, username }, event, from }) => {
    const { subject, what } = wordsOf(event)
    const at = displayTime(new Date(currentTime()), timeZone)
    const text = `${what}

User "${username}", at ${at} (${timeZone}), from ${from}.

If it was neither you nor someone you have asked, change your password, which ends all sign-ins, and tell an
administrator, who can take the app away.
`
    await outbox.mail(tx, id, { subject, text })
  }

const wordsOf = (event: FactorEvent): { subject: string; what: string } => {
  switch (event.kind) {
    case 'enrolled':
      return {
        subject: 'An authenticator app was enrolled',
        what: 'An authenticator app now proves your second factor. Codes are no longer mailed to you.',
      }
    case 'disabled':
      return {
        subject: 'Your authenticator app was disabled',
        what: 'Your authenticator app and its recovery codes no longer count.',
      }
    case 'reset':
      return {
        subject: 'Your authenticator app was taken away',
        what: `${event.by} has taken your authenticator app and its recovery codes away.`,
      }
    case 'codes renewed':
      return {
        subject: 'Your recovery codes were renewed',
        what: 'There are new recovery codes for your second factor; the earlier ones no longer count.',
      }
    case 'code used':
      return {
        subject: event.left === 0 ? 'Your last recovery code was used' : 'A recovery code was used',
        what: `A recovery code proved your second factor. ${event.left === 0 ? 'None is left: renew them.' : `${event.left} are left.`}`,
      }
  }
}
