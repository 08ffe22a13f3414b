import { matchingKey } from '../text/matching-key.ts'
import { type Dn, DnSyntaxError, parseDn, type Rdn } from './dn-parser.ts'

export { matchingKey } from '../text/matching-key.ts'
export { type Ava, type Dn, DnSyntaxError, parseDn, type Rdn } from './dn-parser.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are escaped so that a DN is one line of text
const needsEscape = /[\0-\x1f\x7f"+,;<>\\]|^[ #]| $/g
const unholdable = /\0|\p{Surrogate}/u
const hex = (character: string): string => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`

/**
 * A value in the form it has in a DN (RFC 4514 section 2.4). A comma becomes a hex pair, so that an unescaped comma is
 * always the end of an RDN: the text alone tells whether an entry is below another.
 * @throws DnSyntaxError for NUL and for half a surrogate pair: no directory accepts those in a name
 */
export const escapeRdnValue = (value: string): string => {
  if (unholdable.test(value)) {
    throw new DnSyntaxError('A name in the directory cannot hold a NUL character or half of a surrogate pair')
  }
  return value.replace(needsEscape, (character) =>
    character < ' ' || character === '\x7f' || character === ',' ? hex(character) : `\\${character}`,
  )
}

/** One RDN: `rdn('uid', 'a,b')` is `uid=a\2cb`. */
export const rdn = (type: string, value: string): string => `${type}=${escapeRdnValue(value)}`

export const formatRdn = (avas: Rdn): string => avas.map(({ type, value }) => rdn(type, value)).join('+')

/** The DN as text, every value escaped in one way: `formatDn(parseDn(text))` is canonical. */
export const formatDn = (dn: Dn): string => dn.map(formatRdn).join(',')

/** Names and numbers that mean the same attribute, for those that appear in DNs (RFC 4519). */
const shortNames: Readonly<Record<string, string>> = {
  commonname: 'cn',
  '2.5.4.3': 'cn',
  surname: 'sn',
  '2.5.4.4': 'sn',
  '2.5.4.5': 'serialnumber',
  countryname: 'c',
  '2.5.4.6': 'c',
  localityname: 'l',
  '2.5.4.7': 'l',
  stateorprovincename: 'st',
  '2.5.4.8': 'st',
  streetaddress: 'street',
  '2.5.4.9': 'street',
  organizationname: 'o',
  '2.5.4.10': 'o',
  organizationalunitname: 'ou',
  '2.5.4.11': 'ou',
  userid: 'uid',
  '0.9.2342.19200300.100.1.1': 'uid',
  rfc822mailbox: 'mail',
  '0.9.2342.19200300.100.1.3': 'mail',
  domaincomponent: 'dc',
  '0.9.2342.19200300.100.1.25': 'dc',
}

/** The form of nearly every DN (ASCII, or Chinese, which has no variants): its key is the DN in lower case. */
const plainDn = /^(?:(?:cn|ou|uid|dc|o)=[\w.@\u4e00-\u9fff-]+(?: [\w.@\u4e00-\u9fff-]+)*(?:,(?!$)|$))*$/i

/** In a key every special character is a hex pair, so that an unescaped comma is always the end of an RDN. */
const keyEscape = /["+,;<=>\\]|^#/g

const rdnKey = (avas: Rdn): string =>
  avas
    .map(({ type, value }) => {
      const name = type.toLowerCase()
      return `${shortNames[name] ?? name}=${matchingKey(value).replace(keyEscape, hex)}`
    })
    .sort()
    .join('+')

/**
 * The key by which two DNs are compared: equal keys, same entry. Attribute types are in lower case and under one name,
 * values are normalized by matchingKey, the AVAs of an RDN are sorted, and there is one way to escape. The key has the
 * form of a DN, but is only for comparing, not for sending.
 * @throws DnSyntaxError
 */
export const normalizeDn = (text: string): string =>
  plainDn.test(text) ? text.toLowerCase() : parseDn(text).map(rdnKey).join(',')

/** Like `normalizeDn`; a name that we could not write is its own key. */
export const keyOfAny = (text: string): string => {
  try {
    return normalizeDn(text)
  } catch (error) {
    if (error instanceof DnSyntaxError) return text
    throw error
  }
}

/** Whether both name the same entry, however they are escaped or spelled. */
export const sameDn = (a: string, b: string): boolean => a === b || normalizeDn(a) === normalizeDn(b)

/** The DN one level up, canonical; the empty DN's parent is the empty DN. */
export const parentDn = (text: string): string =>
  plainDn.test(text) ? text.slice(text.indexOf(',') + 1 || text.length + 1) : formatDn(parseDn(text).slice(1))

/** Whether `dn` is `base` or below it. */
export const isWithin = (dn: string, base: string): boolean => {
  const key = normalizeDn(dn)
  const baseKey = normalizeDn(base)
  return baseKey === '' || key === baseKey || key.endsWith(`,${baseKey}`)
}
