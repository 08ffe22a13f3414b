import { createHmac, timingSafeEqual } from 'node:crypto'

/** The parts of a report's address besides the report's id. */
export interface Ticket {
  /** Seconds since 1970. */
  expires: number
  signature: string
}

/** Signs and verifies the addresses of reports. */
export interface ReportAddresses {
  ticket(id: number, expiresAt: Date): Ticket
  /** Whether the ticket was issued for this report and is still valid. */
  admits(id: number, ticket: Ticket, now: Date): boolean
}

/** @param key 32 bytes, derived from the token secret, which all instances share */
export const reportAddresses = (key: Buffer): ReportAddresses => {
  const sign = (id: number, expires: number): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify(['report', id, expires]))
      .digest()
  return {
    ticket(id, expiresAt) {
      const expires = Math.floor(expiresAt.getTime() / 1000)
      return { expires, signature: sign(id, expires).toString('base64url') }
    },
    admits(id, { expires, signature }, now) {
      const given = Buffer.from(signature, 'base64url')
      const right = sign(id, expires)
      return given.length === right.length && timingSafeEqual(given, right) && now.getTime() < expires * 1000
    },
  }
}
