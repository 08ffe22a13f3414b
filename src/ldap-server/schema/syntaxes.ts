import type { Value } from '../value.ts'
import { parseDefinition } from './definition.ts'
import { attributeTypeDefinitions } from './definitions.ts'
import { keyOfDn } from './dn-key.ts'

/** Every name and number of an attribute type, in lower case. */
const attributeNames: ReadonlySet<string> = new Set(
  attributeTypeDefinitions
    .map(parseDefinition)
    .flatMap(({ oid, parts }) => [oid, ...(parts.get('NAME') ?? [])])
    .map((name) => name.toLowerCase()),
)

/** The form of a kind of values (RFC 4517 section 3.3); the checks are slapd's, which accept more than the RFC. */
export interface Syntax {
  oid: string
  description: string
  /** Values are requested and returned with the option `;binary` (RFC 4522). */
  binaryTransfer: boolean
  humanReadable: boolean
  valid(value: Value): boolean
}

const text =
  (pattern: RegExp) =>
  (value: Value): boolean =>
    typeof value === 'string' && pattern.test(value)

const always = (): boolean => true
const anyText = (value: Value): boolean => typeof value === 'string'
const someText = (value: Value): boolean => typeof value === 'string' && value !== ''

/** slapd's limit. */
export const longestDn = 8_192

/** The attribute type of an AVA of a key. */
const typeOf = (ava: string): string => ava.slice(0, ava.indexOf('='))

/** A distinguished name whose attributes the schema has. */
const isDn = (value: string): boolean => {
  if (value === '') return true
  if (value.length > longestDn || value.trim() === '') return false
  const key = keyOfDn(value)
  // In a key an unescaped comma is always the end of an RDN, and an unescaped plus sign that of an AVA.
  return key?.split(/[,+]/).every((ava) => attributeNames.has(typeOf(ava))) ?? false
}

const optionalUid = /#'[01]*'B$/

const deliveryMethod = '(?:any|mhs|physical|telex|teletex|g3fax|g4fax|ia5|videotex|telephone)'

/** Whether the octets are one BER sequence and nothing else: the only check of a certificate. */
const isSequence = (value: Value): boolean => {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  const [tag, first = 0] = bytes
  const count = first < 0x80 ? 0 : first - 0x80
  if (tag !== 0x30 || count > 4 || bytes.length < 2 + count || first === 0x80) return false
  const length = count === 0 ? first : bytes.readUIntBE(2, count)
  return bytes.length === 2 + count + length
}

const printable = "A-Za-z0-9'()+,\\-./:? ="

const standard = '1.3.6.1.4.1.1466.115.121.1'

type Checks = Readonly<Record<string, readonly [description: string, valid: (value: Value) => boolean]>>

const readable: Checks = {
  [`${standard}.6`]: ['Bit String', text(/^'[01]*'B$/)],
  [`${standard}.7`]: ['Boolean', text(/^(?:TRUE|FALSE)$/)],
  [`${standard}.11`]: ['Country String', text(new RegExp(`^[${printable}]{2}$`))],
  [`${standard}.12`]: ['Distinguished Name', (value) => typeof value === 'string' && isDn(value)],
  [`${standard}.14`]: ['Delivery Method', text(new RegExp(`^${deliveryMethod}(?: *\\$ *${deliveryMethod})*$`))],
  [`${standard}.15`]: ['Directory String', someText],
  [`${standard}.22`]: ['Facsimile Telephone Number', text(new RegExp(`^[${printable}$]+$`))],
  [`${standard}.24`]: ['Generalized Time', text(/^\d{10}(?:\d{2}){0,2}(?:[.,]\d+)?(?:Z|[+-]\d{2}(?:\d{2})?)$/)],
  [`${standard}.26`]: ['IA5 String', text(/^[\0-\x7f]*$/)],
  [`${standard}.27`]: ['Integer', text(/^(?:0|-?[1-9]\d*)$/)],
  [`${standard}.34`]: [
    'Name And Optional UID',
    (value) => typeof value === 'string' && isDn(value.replace(optionalUid, '')),
  ],
  [`${standard}.36`]: ['Numeric String', text(/^[\d ]+$/)],
  [`${standard}.38`]: ['OID', text(/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*))*$/)],
  [`${standard}.39`]: ['Other Mailbox', text(/^[\0-\x7f]*$/)],
  // A backslash escapes `$` and itself (RFC 4517 section 3.3.28).
  [`${standard}.41`]: ['Postal Address', (value) => typeof value === 'string' && !/\\(?!24|5c)/i.test(value)],
  [`${standard}.44`]: ['Printable String', text(new RegExp(`^[${printable}]+$`))],
  [`${standard}.50`]: ['Telephone Number', text(new RegExp(`^[${printable}]+$`))],
  [`${standard}.52`]: ['Telex Number', text(new RegExp(`^[${printable}$]+$`))],
  '1.3.6.1.1.1.0.0': ['RFC2307 NIS Netgroup Triple', text(/^\([\w.-]*,[\w.-]*,[\w.-]*\)$/)],
  '1.3.6.1.1.1.0.1': ['RFC2307 Boot Parameter', text(/^[^=:]+=[^=:]+:[^=:]+$/)],
  '1.3.6.1.1.16.1': ['UUID', text(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i)],
  '1.3.6.1.4.1.4203.666.11.2.1': ['CSN', anyText],
}

const opaque: Checks = {
  [`${standard}.4`]: ['Audio', always],
  [`${standard}.5`]: ['Binary', always],
  [`${standard}.28`]: ['JPEG', always],
  // Octet strings that are text (passwords, keys) are shown as text, as slapd does.
  [`${standard}.40`]: ['Octet String', always],
}

const binary: Checks = {
  [`${standard}.8`]: ['Certificate', isSequence],
  [`${standard}.9`]: ['Certificate List', isSequence],
  [`${standard}.10`]: ['Certificate Pair', isSequence],
  [`${standard}.49`]: ['Supported Algorithm', isSequence],
}

const shownAsText: ReadonlySet<string> = new Set([`${standard}.40`])

const table = (checks: Checks, binaryTransfer: boolean, humanReadable: (oid: string) => boolean): Syntax[] =>
  Object.entries(checks).map(([oid, [description, valid]]) => ({
    oid,
    description,
    binaryTransfer,
    humanReadable: humanReadable(oid),
    valid,
  }))

/** The syntaxes that values are checked by. */
export const syntaxes: readonly Syntax[] = [
  ...table(readable, false, () => true),
  ...table(opaque, false, (oid) => shownAsText.has(oid)),
  ...table(binary, true, () => false),
]

const byOid = new Map(syntaxes.map((syntax) => [syntax.oid, syntax]))

/** The syntax; for one that is not implemented (search guides, teletex) no value is valid, as with slapd. */
export const syntaxOf = (oid: string): Syntax =>
  byOid.get(oid) ?? { oid, description: '', binaryTransfer: false, humanReadable: true, valid: () => false }
