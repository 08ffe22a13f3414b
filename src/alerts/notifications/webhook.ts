import { createHmac } from 'node:crypto'
import { withDeadline } from '../../concurrency/abort.ts'

/** Milliseconds for connecting, sending and the head of the response. */
const timeout = 10_000

export interface Webhook {
  url: string
  secret: string
}

/**
 * The value of `x-steward-signature`: `t=<Unix seconds>,v1=<HMAC-SHA256 in hex over "<t>.<body>">`. A receiver computes
 * it with the shared secret, compares in constant time, and refuses a `t` that is more than some minutes old.
 */
const signatureOf = (secret: string, body: string, at: Date): string => {
  const seconds = Math.floor(at.getTime() / 1000)
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${mac}`
}

/**
 * Posts JSON, signed. Resolves when the receiver has answered with a 2xx.
 * @param id of the notification: the same for every attempt, so that a receiver can recognize a repeat
 * @throws Error with the reason, without the address or the receiver's text
 */
export const postWebhook = async (
  { url, secret }: Webhook,
  { id, content }: { id: number; content: unknown },
  stopping: AbortSignal,
): Promise<void> => {
  const body = JSON.stringify(content)
  let status: number
  const post = async (signal: AbortSignal): Promise<number> => {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'steward',
        'x-steward-delivery': String(id),
        'x-steward-signature': signatureOf(secret, body, new Date()),
      },
      // A redirect would send the alert to an address that no administrator has configured.
      redirect: 'manual',
      signal,
    })
    await response.body?.cancel()
    return response.status
  }
  try {
    status = await withDeadline(timeout, { signal: stopping, late: () => new TimeoutError() }, post)
  } catch (error) {
    throw new Error(`the webhook did not answer: ${kindOf(error)}`)
  }
  if (status < 200 || status > 299) throw new Error(`the webhook answered HTTP ${status}`)
}

class TimeoutError extends Error {}

const kindOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  if (error instanceof TimeoutError) return `nothing within ${timeout / 1000} s`
  const cause: unknown = error.cause
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined
  return typeof code === 'string' ? code : error.name
}
