import { createHmac } from 'node:crypto'

/**
 * The value of `x-steward-signature`: `t=<Unix seconds>,v1=<HMAC-SHA256 in hex over "<t>.<body>">`. A receiver computes
 * it anew with the shared secret, compares in constant time, and refuses a `t` that is more than some minutes old.
 */
export const signatureOf = (secret: string, body: string, at: Date): string => {
  const seconds = Math.floor(at.getTime() / 1000)
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${mac}`
}
