import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { alertOf } from '../../alerts/alert.ts'
import type { Outbox } from '../../alerts/notifications/outbox.ts'
import { closeAlert, raiseAlerts } from '../../alerts/raise-alerts.ts'
import { linked } from '../../concurrency/abort.ts'
import type { Db } from '../../db/client.ts'
import { openTicker } from '../../jobs/ticker.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/log.ts'
import { openDelivery } from './delivery.ts'
import { framed, type MessageOptions, messageOf } from './message.ts'
import { openPosition, type Position } from './position.ts'
import { receiverOf, type SyslogSettings } from './settings.ts'

export interface LogStreamOptions {
  db: Db
  outbox: Outbox
  settings: SyslogSettings
  log: Logger
  /** Milliseconds between looks for new entries. */
  every?: number
  /** Milliseconds that entries wait before an alert is raised. */
  alertAfter?: number
  /** Milliseconds in which the receiver has to do something; see delivery.ts. */
  timeout?: number
}

export interface LogStream {
  start(): void
  /** Drops what is on its way: the next start sends it again. */
  stop(): Promise<void>
}

/** Entries read at a time. */
const batchSize = 500
/** Entries for one receipt. */
const maxPerReceipt = 5000
/** Milliseconds between two attempts while the receiver takes nothing: first, and at most. */
const pauses = { first: 1000, last: 30_000 }
/** Milliseconds after which an alert that is still right is raised again. */
const repeatAfter = 300_000

/**
 * Sends every entry of the operation log to a syslog receiver, in the order of the chain, at least once. It reads the
 * stored log and not what passes by, so it is never ahead of the chain, and an outage of any length loses nothing.
 */
export const openLogStream = (options: LogStreamOptions): LogStream => {
  const { db, outbox, settings, log, every = 1000, alertAfter = 300_000, timeout } = options
  const receiver = receiverOf(settings)
  const position = openPosition(db, receiver, randomUUID())
  const format = { ...settings, host: hostname() }
  const stopping = new AbortController()
  let failures = 0
  let notBefore = Number.NEGATIVE_INFINITY
  let raisedAt = Number.NEGATIVE_INFINITY
  /** An earlier process may have raised one. */
  let mayBeOpen = true

  const succeeded = async (): Promise<void> => {
    if (failures > 0) log.info({ receiver }, 'the syslog receiver takes the operation log again')
    failures = 0
    if (mayBeOpen) await closeAlert(db, 'logNotStreamed', { receiver })
    mayBeOpen = false
    raisedAt = Number.NEGATIVE_INFINITY
  }

  const failed = async (error: unknown): Promise<void> => {
    const reason = reasonOf(error)
    if (failures === 0) log.warn({ receiver, reason }, 'the syslog receiver does not take the operation log')
    notBefore = performance.now() + Math.min(pauses.first * 2 ** failures, pauses.last)
    failures += 1
    const waiting = await position.waiting()
    if (waiting === null || currentTime() - waiting.since.getTime() < alertAfter) return
    if (performance.now() - raisedAt < repeatAfter) return
    const alert = alertOf('logNotStreamed', { receiver, waiting: waiting.count, since: waiting.since, reason })
    await db.transaction((tx) => raiseAlerts(tx, outbox, [alert]))
    raisedAt = performance.now()
    mayBeOpen = true
  }

  const begin = async (): Promise<Position | null> => {
    const taken = await position.take()
    if (taken === null || !taken.rewound) return taken
    log.warn({ receiver, seq: taken.seq }, 'the operation log is not the one that was streamed: all of it is sent')
    return { seq: 0, hash: '' }
  }

  const look = async (): Promise<void> => {
    if (performance.now() < notBefore || !(await position.isBehind())) return
    let from = await begin()
    while (from !== null && !stopping.signal.aborted) {
      const kept = position.keep()
      const either = linked(stopping.signal, kept.signal)
      let to: Position | null
      try {
        to = await deliver(from, { position, settings, format, timeout, signal: either.signal })
      } catch (error) {
        if (!either.signal.aborted) await failed(error)
        return
      } finally {
        kept.end()
        either.release()
      }
      // What it lacks there is sent by the process that has taken over, and comes twice.
      if (to === null || !(await position.advance(to))) return
      await succeeded()
      from = to
    }
  }

  const ticker = openTicker({ every, what: 'what the syslog receiver lacks', look, log })
  return {
    start: ticker.start,
    async stop() {
      stopping.abort()
      await ticker.stop()
      await position.release()
    },
  }
}

interface DeliverOptions {
  position: Pick<ReturnType<typeof openPosition>, 'after'>
  settings: SyslogSettings
  format: MessageOptions
  timeout: number | undefined
  signal: AbortSignal
}

/**
 * Sends entries after this one, and waits until the receiver has read them.
 * @returns the last of them; null: there was none
 */
const deliver = async (
  from: Position,
  { position, settings, format, timeout, signal }: DeliverOptions,
): Promise<Position | null> => {
  let entries = await position.after(from.seq, batchSize)
  if (entries.length === 0) return null
  const delivery = await openDelivery(settings, signal, timeout)
  try {
    let last = from
    for (let sent = 0; entries.length > 0; ) {
      const messages = entries.map((entry) => {
        const message = messageOf(entry, entry.seq === last.seq + 1 ? last.hash : null, format)
        last = { seq: entry.seq, hash: entry.hash }
        return framed(message)
      })
      await delivery.send(Buffer.concat(messages))
      sent += entries.length
      if (entries.length < batchSize || sent >= maxPerReceipt) break
      entries = await position.after(last.seq, batchSize)
    }
    await delivery.receipt()
    return last
  } finally {
    delivery.drop()
  }
}

/** Milliseconds for each step of a trial: an administrator waits for it. */
const trialPatience = 5000

/** Connects and ends the connection as a delivery does. @throws Error with the reason */
export const trySyslog = async (settings: SyslogSettings): Promise<void> => {
  const delivery = await openDelivery(settings, new AbortController().signal, trialPatience)
  try {
    await delivery.receipt()
  } finally {
    delivery.drop()
  }
}

/** A line about what happened; of several addresses that refuse, the first. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const first = error instanceof AggregateError ? error.errors.find((each) => each instanceof Error) : undefined
  return first?.message || error.message || String(Reflect.get(error, 'code') ?? error.name)
}
