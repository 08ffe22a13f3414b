import { sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'

/** The parameters that every authenticator app assumes, whatever the URI says (RFC 6238). The period is in seconds. */
const parameters = { issuer: 'Steward', algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Time steps that the app's clock may be off, in both directions. */
const window = 1

const isCode = /^[0-9]{6}$/

/** The newest time step whose code is valid now, by the database's clock. */
export const newestStep = sql<number>`
  floor(extract(epoch from clock_timestamp()) / ${sql.raw(String(parameters.period))})::bigint + ${sql.raw(String(window))}`

/** 160 bits, as RFC 4226 section 4 recommends, in base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** The content of the QR code for an authenticator app. */
export const totpUri = (secret: string, username: string): string =>
  new TOTP({ ...parameters, label: username, secret }).toString()

/**
 * The time step of a code; null: the code is not valid now.
 * @param timestamp milliseconds since 1970
 */
export const stepOfCode = (secret: string, code: string, timestamp: number): number | null => {
  // The library expects ASCII: with other digits it compares buffers of different lengths, and throws.
  if (!isCode.test(code)) return null
  const { period } = parameters
  const totp = new TOTP({ ...parameters, secret })
  const delta = totp.validate({ token: code, timestamp, window })
  return delta === null ? null : TOTP.counter({ period, timestamp }) + delta
}
