import { createHash } from 'node:crypto'
import { compatibleForm, matchingKey, matchingPart } from '../../text/matching-key.ts'
import type { Value } from '../value.ts'
import { keyOfDn } from './dn-key.ts'

/** How values are compared (RFC 4517 section 4.2). */
export interface MatchingRule {
  oid: string
  name: string
  /** The syntax of an assertion. */
  syntax: string
  /** Syntaxes of the attributes it applies to. */
  appliesTo: readonly string[]
  kind: 'equality' | 'ordering' | 'substrings'
  /** Equal keys mean equal values. The value is valid by its attribute's syntax. */
  key(value: Value): string
  /** Negative, zero or positive: key `a` comes before, with or after `b`. Only ordering rules have it. */
  compare: ((a: string, b: string) => number) | null
  /** A piece of a substrings assertion, comparable with keys. Only substrings rules have it. */
  piece: ((text: string) => string) | null
}

const standard = '1.3.6.1.4.1.1466.115.121.1'
const directoryString = `${standard}.15`
const ia5 = `${standard}.26`
const printable = `${standard}.44`
const telephone = `${standard}.50`
const country = `${standard}.11`
const integer = `${standard}.27`
const numeric = `${standard}.36`
const postalAddress = `${standard}.41`
const substringAssertion = `${standard}.58`
const uuid = '1.3.6.1.1.16.1'
const csn = '1.3.6.1.4.1.4203.666.11.2.1'

const longestOctetsKey = 128

/** The key of a value that is compared octet by octet. */
export const octetsKey = (value: Value): string => {
  const text = typeof value === 'string' ? value : value.toString('latin1')
  const marked = `${typeof value === 'string' ? 't' : 'b'}${text}`
  return text.length <= longestOctetsKey ? marked : createHash('sha256').update(marked).digest('base64')
}

const ofText =
  (key: (text: string) => string) =>
  (value: Value): string =>
    typeof value === 'string' ? key(value) : octetsKey(value)

const dnKey = (text: string): string => keyOfDn(text) ?? text

const nameAndUid = (text: string): string => {
  const [, dn = text, uid = ''] = /^(.*?)(#'[01]*'B)?$/s.exec(text) ?? []
  return `${dnKey(dn)}${uid}`
}

const keys = {
  ignoreCase: ofText(matchingKey),
  exact: ofText((text) => compatibleForm(text).trim().replace(/\s+/g, ' ')),
  telephone: ofText((text) => text.replace(/[ -]/g, '').toLowerCase()),
  numeric: ofText((text) => text.replaceAll(' ', '')),
  dn: ofText(dnKey),
  nameAndUid: ofText(nameAndUid),
  plain: ofText((text) => text),
  lower: ofText((text) => text.trim().toLowerCase()),
  /** The number that a definition of the schema begins with. */
  firstComponent: ofText((text) => /^\(\s*(\S+)/.exec(text)?.[1] ?? text),
}

const pieces = {
  ignoreCase: matchingPart,
  exact: (text: string): string => compatibleForm(text).replace(/\s+/g, ' '),
  telephone: (text: string): string => text.replace(/[ -]/g, '').toLowerCase(),
  numeric: (text: string): string => text.replaceAll(' ', ''),
}

const textOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Compares whole numbers as text (no leading zeros): numbers of any length, without converting them. */
const integerOrder = (a: string, b: string): number => {
  const negative = a.startsWith('-')
  if (negative !== b.startsWith('-')) return negative ? -1 : 1
  const greater = a.length === b.length ? textOrder(a, b) : a.length - b.length
  return negative ? -greater : greater
}

type Row = readonly [oid: string, name: string, syntax: string, appliesTo: readonly string[]]

const rule = (
  [oid, name, syntax, appliesTo]: Row,
  kind: MatchingRule['kind'],
  key: MatchingRule['key'],
  { compare = null, piece = null }: Partial<Pick<MatchingRule, 'compare' | 'piece'>> = {},
): MatchingRule => ({ oid, name, syntax, appliesTo, kind, key, compare, piece })

const strings = [directoryString, printable, telephone, country]

export const matchingRules: readonly MatchingRule[] = [
  rule(['2.5.13.0', 'objectIdentifierMatch', `${standard}.38`, [`${standard}.38`]], 'equality', keys.lower),
  rule(['2.5.13.1', 'distinguishedNameMatch', `${standard}.12`, [`${standard}.12`]], 'equality', keys.dn),
  rule(['2.5.13.2', 'caseIgnoreMatch', directoryString, strings], 'equality', keys.ignoreCase),
  rule(['2.5.13.3', 'caseIgnoreOrderingMatch', directoryString, strings], 'ordering', keys.ignoreCase, {
    compare: textOrder,
  }),
  rule(['2.5.13.4', 'caseIgnoreSubstringsMatch', substringAssertion, strings], 'substrings', keys.ignoreCase, {
    piece: pieces.ignoreCase,
  }),
  rule(['2.5.13.5', 'caseExactMatch', directoryString, strings], 'equality', keys.exact),
  rule(['2.5.13.8', 'numericStringMatch', numeric, [numeric]], 'equality', keys.numeric),
  rule(['2.5.13.10', 'numericStringSubstringsMatch', substringAssertion, [numeric]], 'substrings', keys.numeric, {
    piece: pieces.numeric,
  }),
  rule(['2.5.13.11', 'caseIgnoreListMatch', postalAddress, [postalAddress]], 'equality', keys.ignoreCase),
  rule(
    ['2.5.13.12', 'caseIgnoreListSubstringsMatch', substringAssertion, [postalAddress]],
    'substrings',
    keys.ignoreCase,
    { piece: pieces.ignoreCase },
  ),
  rule(['2.5.13.13', 'booleanMatch', `${standard}.7`, [`${standard}.7`]], 'equality', keys.plain),
  rule(['2.5.13.14', 'integerMatch', integer, [integer]], 'equality', keys.plain),
  rule(['2.5.13.15', 'integerOrderingMatch', integer, [integer]], 'ordering', keys.plain, { compare: integerOrder }),
  rule(['2.5.13.16', 'bitStringMatch', `${standard}.6`, [`${standard}.6`]], 'equality', keys.plain),
  rule(['2.5.13.17', 'octetStringMatch', `${standard}.40`, [`${standard}.40`]], 'equality', octetsKey),
  rule(['2.5.13.20', 'telephoneNumberMatch', telephone, [telephone]], 'equality', keys.telephone),
  rule(['2.5.13.21', 'telephoneNumberSubstringsMatch', substringAssertion, [telephone]], 'substrings', keys.telephone, {
    piece: pieces.telephone,
  }),
  rule(['2.5.13.23', 'uniqueMemberMatch', `${standard}.34`, [`${standard}.34`]], 'equality', keys.nameAndUid),
  rule(['2.5.13.27', 'generalizedTimeMatch', `${standard}.24`, [`${standard}.24`]], 'equality', keys.plain),
  rule(['2.5.13.28', 'generalizedTimeOrderingMatch', `${standard}.24`, [`${standard}.24`]], 'ordering', keys.plain, {
    compare: textOrder,
  }),
  rule(
    [
      '2.5.13.30',
      'objectIdentifierFirstComponentMatch',
      `${standard}.38`,
      [3, 16, 30, 31, 35, 37, 54].map((last) => `${standard}.${last}`),
    ],
    'equality',
    keys.firstComponent,
  ),
  rule(['1.3.6.1.4.1.1466.109.114.1', 'caseExactIA5Match', ia5, [ia5]], 'equality', keys.exact),
  rule(['1.3.6.1.4.1.1466.109.114.2', 'caseIgnoreIA5Match', ia5, [ia5]], 'equality', keys.ignoreCase),
  rule(
    ['1.3.6.1.4.1.1466.109.114.3', 'caseIgnoreIA5SubstringsMatch', substringAssertion, [ia5]],
    'substrings',
    keys.ignoreCase,
    { piece: pieces.ignoreCase },
  ),
  rule(['1.3.6.1.4.1.4203.1.2.1', 'caseExactIA5SubstringsMatch', substringAssertion, [ia5]], 'substrings', keys.exact, {
    piece: pieces.exact,
  }),
  rule(['1.3.6.1.1.16.2', 'UUIDMatch', uuid, [uuid]], 'equality', keys.lower),
  rule(['1.3.6.1.1.16.3', 'UUIDOrderingMatch', uuid, [uuid]], 'ordering', keys.lower, { compare: textOrder }),
  rule(['1.3.6.1.4.1.4203.666.11.2.2', 'CSNMatch', csn, [csn]], 'equality', keys.plain),
  rule(['1.3.6.1.4.1.4203.666.11.2.3', 'CSNOrderingMatch', csn, [csn]], 'ordering', keys.plain, { compare: textOrder }),
]

const byName = new Map(matchingRules.flatMap((each) => [each.name.toLowerCase(), each.oid].map((name) => [name, each])))

/** By name or number; null for one that this server does not support. */
export const findMatchingRule = (name: string): MatchingRule | null => byName.get(name.toLowerCase()) ?? null
