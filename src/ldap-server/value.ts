import { isUtf8 } from 'node:buffer'

/** A value as it is stored: text where the bytes are UTF-8, which is smaller and quicker to compare, else the bytes. */
export type Value = string | Buffer

export const toValue = (octets: Buffer): Value =>
  // A copy, because a view would keep the whole message in memory.
  isUtf8(octets) ? octets.toString('utf8') : Buffer.from(octets)

export const toOctets = (value: Value): Buffer => (typeof value === 'string' ? Buffer.from(value) : value)
