import { resultCodes } from '../../ldap/result-code.ts'
import type { NamedValues } from '../entries/entry.ts'
import { checkMayRead, checkMayWrite, type Identity, isOfServer } from '../identity.ts'
import { LdapError } from '../result.ts'
import { toValue, type Value } from '../value.ts'
import { BerError, BerReader, tag } from './ber.ts'
import type { Change, Modification, ModifyOperation } from './change.ts'
import { decodeFilter } from './filter.ts'
import type { Control, Request, SearchScope } from './request.ts'

/** The tags of the operations (RFC 4511 section 4.2 and on) and of their responses. */
const operations = {
  bind: { request: 0x60, response: 0x61 },
  search: { request: 0x63, response: 0x65 },
  modify: { request: 0x66, response: 0x67 },
  add: { request: 0x68, response: 0x69 },
  delete: { request: 0x4a, response: 0x6b },
  modifyDn: { request: 0x6c, response: 0x6d },
  compare: { request: 0x6e, response: 0x6f },
  extended: { request: 0x77, response: 0x78 },
} as const
type OperationName = keyof typeof operations

const unbindTag = 0x42
const abandonTag = 0x50
const controlsTag = 0xa0
/** Context tags [0] and [7]: simple authentication, new superior, request name; SASL is [3]. */
const contextTag = 0x80
const extendedValueTag = 0x81

/** Controls that one request may have. They are read as it arrives, before it has a turn. */
const maxControls = 500

/** Attributes that one search may name. A turn is not interrupted while a request is read. */
const maxNamed = 500

const byTag = new Map(
  (Object.keys(operations) as OperationName[]).map((name) => [operations[name].request as number, name]),
)

/** An operation that has a response, before its content is read. */
export interface OperationEnvelope {
  kind: 'operation'
  id: number
  name: OperationName
  responseTag: number
  content: Buffer
  controls: readonly Control[]
}

export type Envelope = { kind: 'unbind' } | { kind: 'abandon'; abandoned: number } | OperationEnvelope

const readControls = (reader: BerReader): Control[] => {
  const controls: Control[] = []
  while (!reader.done) {
    if (controls.length === maxControls) throw new BerError(`more than ${maxControls} controls`)
    const control = reader.sequence()
    const oid = control.text()
    const critical = control.next === tag.boolean && control.boolean()
    controls.push({ oid, critical, value: control.done ? null : Buffer.from(control.octets()) })
  }
  return controls
}

/**
 * Reads a message only as far as its kind and the kind of its response.
 * @throws BerError: the connection cannot be used any more (RFC 4511 section 4.1.1)
 */
export const readEnvelope = (bytes: Buffer): Envelope => {
  const message = new BerReader(bytes).sequence()
  const id = message.integer()
  if (id <= 0) throw new BerError('a message id that is not positive')
  const { tag: operationTag, content } = message.element()
  const controls = message.next === controlsTag ? readControls(message.sequence(controlsTag)) : []
  if (operationTag === unbindTag) return { kind: 'unbind' }
  if (operationTag === abandonTag) {
    if (content.length < 1 || content.length > 4) throw new BerError('an abandoned id of a wrong length')
    return { kind: 'abandon', abandoned: content.readIntBE(0, content.length) }
  }
  const name = byTag.get(operationTag)
  if (name === undefined) throw new BerError('an unknown operation')
  return { kind: 'operation', id, name, responseTag: operations[name].response, content, controls }
}

const readList = <T>(reader: BerReader, read: (reader: BerReader) => T): T[] => {
  const items: T[] = []
  while (!reader.done) items.push(read(reader))
  return items
}

const readValue = (reader: BerReader): Value => toValue(reader.octets())

const readNamedValues = (reader: BerReader): NamedValues => {
  const attribute = reader.sequence()
  return { name: attribute.text(), values: readList(attribute.sequence(tag.set), readValue) }
}

const modifyOperations: readonly ModifyOperation[] = ['add', 'delete', 'replace']

const readModification = (reader: BerReader): Modification => {
  const modification = reader.sequence()
  const operation = modifyOperations[modification.integer(tag.enumerated)]
  if (operation === undefined) {
    throw new LdapError(resultCodes.unwillingToPerform, 'only add, delete and replace are supported')
  }
  return { operation, ...readNamedValues(modification) }
}

const readRename = (reader: BerReader): Change => ({
  kind: 'rename',
  dn: reader.text(),
  newRdn: reader.text(),
  deleteOldRdn: reader.boolean(),
  newSuperior: reader.done ? null : reader.text(contextTag),
})

const readNames = (reader: BerReader): string[] => {
  const names: string[] = []
  while (!reader.done) {
    if (names.length === maxNamed) {
      throw new LdapError(resultCodes.adminLimitExceeded, `a search may name ${maxNamed} attributes`)
    }
    names.push(reader.text())
  }
  return names
}

const scopes: readonly SearchScope[] = ['base', 'one', 'sub', 'children']

const readSearch = (reader: BerReader, identity: Identity): Request => {
  const base = reader.text()
  const scope = scopes[reader.integer(tag.enumerated)]
  if (scope === undefined) throw new BerError('an unknown scope')
  // Before its filter, which may take long to read.
  if (!isOfServer(base, scope)) checkMayRead(identity)
  // How to treat aliases: this server has no aliases.
  reader.integer(tag.enumerated)
  const sizeLimit = reader.integer()
  const timeLimit = reader.integer()
  if (sizeLimit < 0 || timeLimit < 0) throw new BerError('a limit below zero')
  return {
    kind: 'search',
    base,
    scope,
    sizeLimit,
    timeLimit,
    typesOnly: reader.boolean(),
    filter: decodeFilter(reader),
    attributes: readNames(reader.sequence()),
  }
}

const readCompare = (reader: BerReader): Request => {
  const dn = reader.text()
  const assertion = reader.sequence()
  return { kind: 'compare', dn, attribute: assertion.text(), value: readValue(assertion) }
}

interface Context {
  /** What the request is, as bytes. */
  content: Buffer
  /** Who asks. */
  identity: Identity
}

const write = ({ identity }: Pick<Context, 'identity'>, read: () => Change): Request => {
  // Before its values, which may take long to read.
  checkMayWrite(identity)
  return { kind: 'write', change: read() }
}

const readers: Readonly<Record<OperationName, (reader: BerReader, context: Context) => Request>> = {
  bind: (reader) => ({
    kind: 'bind',
    version: reader.integer(),
    dn: reader.text(),
    password: reader.next === contextTag ? reader.text(contextTag) : null,
  }),
  search: (reader, { identity }) => readSearch(reader, identity),
  add: (reader, context) =>
    write(context, () => ({
      kind: 'add',
      dn: reader.text(),
      attributes: readList(reader.sequence(), readNamedValues),
    })),
  modify: (reader, context) =>
    write(context, () => ({
      kind: 'modify',
      dn: reader.text(),
      modifications: readList(reader.sequence(), readModification),
    })),
  modifyDn: (reader, context) => write(context, () => readRename(reader)),
  // The only request that is a bare string.
  delete: (_reader, context) => write(context, () => ({ kind: 'delete', dn: context.content.toString('utf8') })),
  compare: readCompare,
  extended: (reader) => ({
    kind: 'extended',
    oid: reader.text(contextTag),
    value: reader.done ? null : reader.octets(extendedValueTag),
  }),
}

/**
 * Reads the request of an operation.
 * @throws BerError where it is malformed: the response is protocolError; LdapError for a search without a bind, one that
 *   names too many attributes, and a write that is not the root DN's
 */
export const readRequest = ({ name, content }: OperationEnvelope, identity: Identity): Request =>
  readers[name](new BerReader(content), { content, identity })
