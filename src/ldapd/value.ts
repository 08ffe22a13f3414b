import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { matchingKey, normalizeDn } from '../ldap/dn.ts'
import type { Syntax } from './attribute-type.ts'

/** A value as it is kept: text where the bytes are UTF-8, which is smaller and quicker to compare, else the bytes. */
export type Value = string | Buffer

export const toValue = (octets: Buffer): Value =>
  // A copy, because a view would keep the whole message it came in alive.
  isUtf8(octets) ? octets.toString('utf8') : Buffer.from(octets)

export const toOctets = (value: Value): Buffer => (typeof value === 'string' ? Buffer.from(value) : value)

const longestOctetsKey = 128
const ascii = /^[\0-\x7f]*$/
const generalizedTime = /^\d{10}(?:\d{2}){0,2}(?:[.,]\d+)?(?:Z|[+-]\d{2}(?:\d{2})?)$/
const integerText = /^(?:0|-?[1-9]\d*)$/
const oidText = /^(?:[a-z][a-z\d-]*|\d+(?:\.\d+)+)$/i

const dnKey = (text: string): string | null => {
  try {
    return normalizeDn(text)
  } catch {
    return null
  }
}

const textKey: Readonly<Record<Exclude<Syntax, 'octets'>, (text: string) => string | null>> = {
  text: (text) => (text === '' ? null : matchingKey(text)),
  ia5: (text) => (ascii.test(text) ? matchingKey(text) : null),
  exact: (text) => text.trim().replace(/ +/g, ' '),
  phone: (text) => (text === '' ? null : text.replace(/[ -]/g, '').toLowerCase()),
  dn: dnKey,
  integer: (text) => (integerText.test(text) ? text : null),
  time: (text) => (generalizedTime.test(text) ? text : null),
  oid: (text) => (oidText.test(text.trim()) ? text.trim().toLowerCase() : null),
  boolean: (text) => (text === 'TRUE' || text === 'FALSE' ? text : null),
  csn: (text) => text,
}

const octetsKey = (value: Value): string => {
  const text = typeof value === 'string' ? value : value.toString('latin1')
  const marked = `${typeof value === 'string' ? 't' : 'b'}${text}`
  return text.length <= longestOctetsKey ? marked : createHash('sha256').update(marked).digest('base64')
}

/** By what two values of a syntax are compared: equal keys, equal values. Null: not a value of that syntax. */
export const valueKey = (syntax: Syntax, value: Value): string | null => {
  if (syntax === 'octets') return octetsKey(value)
  return typeof value === 'string' ? textKey[syntax](value) : null
}

const foldedPiece = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ')

/** A piece of a substrings filter, comparable with value keys; null where the syntax has no such match. */
export const pieceKey = (syntax: Syntax, piece: string): string | null => {
  switch (syntax) {
    case 'text':
    case 'ia5':
      return foldedPiece(piece)
    case 'phone':
      return textKey.phone(piece)
    case 'exact':
      return piece
    default:
      return null
  }
}

/** Negative, zero or positive as `a` comes before, with or after `b`; null where the syntax has no order. */
export const compareKeys = (syntax: Syntax, a: string, b: string): number | null => {
  switch (syntax) {
    case 'integer': {
      const difference = BigInt(a) - BigInt(b)
      return difference < 0n ? -1 : difference > 0n ? 1 : 0
    }
    case 'time':
    case 'csn':
      return a < b ? -1 : a > b ? 1 : 0
    default:
      return null
  }
}
