// The room mail.
// Outgoing mail, by SMTP or into a folder.
// It never decides who receives a message.

import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport, type Transporter } from 'nodemailer'
import { withDeadline } from '../concurrency/abort.ts'
import { inTime } from '../concurrency/in-time.ts'
import type { Logger } from '../runtime/log.ts'
import { beginning } from '../text/beginning.ts'
import { isMailAddress } from '../text/identity-keys.ts'
import { mailFolder } from './mail-folder.ts'

export interface Message {
  /** One address, without a name. */
  to: string
  subject: string
  text: string
}

export interface Mail {
  /**
   * Resolves once the mail server has accepted the message, or it is in a file of the mail folder. It becomes a file
   * where there is no server, or the server could not be reached for half a minute.
   * @throws Error when the address is not valid, or the file cannot be written either
   */
  send(message: Message): Promise<void>
  /**
   * As `send`, by one attempt: for callers who keep the message and try again later.
   * @throws Error when the mail server did not accept it too, with the kind of failure and without the server's text
   */
  attempt(message: Message): Promise<void>
  /**
   * Resolves when every message is delivered, is in a file, or has failed in `attempt`. From now on there are no pauses
   * between attempts, and after 5 s no more attempts; this also holds for later messages.
   */
  close(): Promise<void>
}

export interface MailOptions {
  /** smtp:// or smtps://; null: every message becomes a file. */
  smtpUrl: string | null
  from: string
  folder: string
  log: Logger
  /** Milliseconds that one attempt may take altogether; default: two minutes. */
  timeout?: number
}

/** Milliseconds before the second, third and fourth attempt. */
const delays = [1_000, 5_000, 25_000]
/** Milliseconds: less than after which a notification is sent again (alerts/notifications). */
const defaultTimeout = 120_000
/** Of one step each, and the last one of silence. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
const closeTimeout = 5_000
const trialPatience = 8_000

/** Mail by SMTP, or as files for a trial without a mail server. */
export const openMail = ({ smtpUrl, from, folder, log, timeout = defaultTimeout }: MailOptions): Mail => {
  const keep = mailFolder({ from, folder, log })
  const smtp = smtpUrl === null ? null : createTransport({ url: smtpUrl, ...timeouts }, { from })
  const underWay = new Set<Promise<void>>()
  /** Ends the pauses between attempts: the next one is the last. */
  const closing = new AbortController()
  /** Ends the attempts themselves. */
  const givingUp = new AbortController()

  const deliverOnce = async (smtp: Transporter, message: Message): Promise<void> => {
    // A server that says a word now and then is never silent for long: the signal ends its connection, too.
    await withDeadline(timeout, { signal: givingUp.signal, late: tookTooLong }, (signal) =>
      smtp.sendMail({ ...envelope(message), signal }).catch((error: unknown) => {
        signal.throwIfAborted()
        throw error
      }),
    )
  }

  const deliver = async (message: Message): Promise<void> => {
    for (let tries = 0; smtp !== null && !givingUp.signal.aborted; tries += 1) {
      try {
        return await deliverOnce(smtp, message)
      } catch (error) {
        const delay = delays[tries]
        log.warn({ error: describe(error), tries: tries + 1 }, 'a mail could not be delivered')
        if (delay === undefined || closing.signal.aborted) break
        await sleep(delay, undefined, { signal: closing.signal }).catch(() => {})
      }
    }
    await keep(envelope(message))
  }

  const attemptOnce = async (message: Message): Promise<void> => {
    if (smtp === null) return keep(envelope(message))
    try {
      await deliverOnce(smtp, message)
    } catch (error) {
      throw new Error(`the mail server did not accept it: ${describe(error)}`)
    }
  }

  /** `close` waits for it. */
  const followed = async (message: Message, way: (message: Message) => Promise<void>): Promise<void> => {
    if (!isMailAddress(message.to)) throw new Error('the recipient is not a mail address')
    const delivery = way(message)
    const settled = delivery.then(
      () => {},
      () => {},
    )
    underWay.add(settled)
    void settled.then(() => underWay.delete(settled))
    await delivery
  }

  return {
    send: (message) => followed(message, deliver),
    attempt: (message) => followed(message, attemptOnce),
    async close() {
      closing.abort()
      setTimeout(() => givingUp.abort(new Error('the service is stopping')), closeTimeout).unref()
      await Promise.all(underWay)
    },
  }
}

/**
 * Signs in to the mail server, and sends nothing.
 * @returns why that failed, without secrets; null: it did not
 */
export const tryMailServer = async ({ smtpUrl, from }: { smtpUrl: string; from: string }): Promise<string | null> => {
  const smtp = createTransport({ url: smtpUrl, ...timeouts }, { from })
  try {
    // Each step has a time limit of its own, and there are several.
    return await inTime(
      trialPatience,
      smtp.verify().then(() => null),
      () => `the mail server does not answer within ${trialPatience / 1000} s`,
    )
  } catch (error) {
    return `the mail server cannot be used (${describe(error)})`
  } finally {
    smtp.close()
  }
}

const tookTooLong = (): Error => Object.assign(new Error('the mail server takes too long'), { code: 'ETIMEDOUT' })

/** An address in an object is never parsed as a list. */
const envelope = ({ to, subject, text }: Message) => ({ to: { name: '', address: to }, subject, text })

/** Where several addresses were tried, that of the first. */
const textOf = (error: Error): string => {
  const first = error instanceof AggregateError ? error.errors.find((each) => each instanceof Error) : undefined
  return beginning(error.message || (first?.message ?? ''), 200)
}

/** Failures before the server said anything: of the connection, of its certificate, of the name. */
const ownFailures: readonly unknown[] = ['ESOCKET', 'EDNS']

/**
 * The server's message may quote the mail: of what it said, only the kind of failure is reported. What this side found
 * wrong is told, for its kind is the same for a server that is away and for a certificate that has expired.
 */
const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  const { code, responseCode } = error as Error & { code?: string; responseCode?: number }
  if (ownFailures.includes(code) && responseCode === undefined) return [code, textOf(error)].filter(Boolean).join(': ')
  return [code, responseCode].filter((part) => part !== undefined).join(' ') || error.name
}
