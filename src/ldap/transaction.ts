import { setTimeout as delay } from 'node:timers/promises'
import { Ber, BerReader, BerWriter, Control, ExtendedRequest } from 'ldapts'
import { allDone } from '../concurrency/all-done.ts'
import { semaphore } from '../concurrency/semaphore.ts'
import type { Connection, RequestBuilder } from './connection.ts'
import type { LdapResponse } from './connection-response.ts'
import type { BeforeWrite, Write } from './directory.ts'
import { DirectoryError } from './directory-error.ts'
import { parentDn } from './dn.ts'
import { outcomeError, resultCodes } from './result-code.ts'
import { statements } from './statements.ts'
import { entryKey, prepareWrite, writeError } from './write-request.ts'

export const startTransactionOid = '1.3.6.1.1.21.1'
const specificationOid = '1.3.6.1.1.21.2'
const endTransactionOid = '1.3.6.1.1.21.3'

/** Requests in flight; slapd ends a connection with more than 1000. */
const inFlight = 64

/**
 * Milliseconds between the last response and the end of the transaction. slapd (2.5.13) frees the writes of a
 * transaction when it ends, while the thread that answered the last of them may still use them: it then crashes.
 * Without a pause a few hundred small transactions are enough. With 5 ms it still happened on a busy machine; with 25
 * it did not.
 */
const settling = 50

/** Transaction specification control, RFC 5805 section 2.2: this request belongs to that transaction. */
class TransactionControl extends Control {
  readonly identifier: Buffer
  constructor(identifier: Buffer) {
    super(specificationOid, { critical: true })
    this.identifier = identifier
  }
  override writeControl(writer: BerWriter): void {
    writer.writeBuffer(this.identifier, Ber.OctetString)
  }
}

/**
 * Carries out all writes or none (RFC 5805). The caller must own `connection`.
 * @param beforeWrite called before the commit, which carries the writes out
 * @throws DirectoryError of the first write that is refused, with its `index` where the server tells
 */
export const runTransaction = async (
  connection: Connection,
  writes: Write[],
  beforeWrite?: BeforeWrite,
): Promise<void> => {
  const groups = independentGroups(writes.map(toStep))
  const started = await connection.request((messageId) => new ExtendedRequest({ messageId, oid: startTransactionOid }))
  if (started.code !== resultCodes.success) throw outcomeError(started, statements.begin_transaction())
  const identifier = started.value ?? Buffer.alloc(0)

  try {
    await sendAll(connection, groups, new TransactionControl(identifier))
    await delay(settling)
    beforeWrite?.()
  } catch (error) {
    await delay(settling)
    if (connection.alive) await endTransaction(connection, identifier, false)
    throw error
  }
  const ended = await endTransaction(connection, identifier, true)
  if (ended.code === resultCodes.success) return
  const messageId = refusedMessageId(ended.value)
  const step = groups.flat().find((sent) => sent.messageId === messageId)
  throw step ? writeError(ended, step.write, step.index) : outcomeError(ended, statements.commit_transaction())
}

/** A write in flight; `messageId` is that of its request once it is sent. */
interface Step {
  write: Write
  index: number
  /** Steps of one scope and different keys may go in any order. */
  scope: string
  key: string
  build: (controls: Control[]) => RequestBuilder
  messageId?: number
}

/** @throws DirectoryError `refused` with `index` for text that is not a DN */
const toStep = (write: Write, index: number): Step => {
  try {
    const key = entryKey(write.dn)
    const scope = write.kind === 'modify' ? 'modify' : `${write.kind} ${entryKey(parentDn(write.dn))}`
    const build = prepareWrite(write)
    return { write, index, scope, key, build }
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
    throw new DirectoryError(error.kind, error.stated, { code: error.code, index, cause: error })
  }
}

/**
 * slapd processes the requests of one connection in parallel, so two that are sent together may enter the transaction
 * in either order. Only those are sent together for which the order does not matter: adds or deletes of siblings,
 * changes to different entries.
 */
const independentGroups = (steps: Step[]): Step[][] => {
  const groups: Step[][] = []
  let keys = new Set<string>()
  for (const step of steps) {
    const group = groups.at(-1)
    if (!group || step.write.kind === 'rename' || group[0]?.scope !== step.scope || keys.has(step.key)) {
      groups.push([step])
      keys = new Set()
    } else {
      group.push(step)
    }
    keys.add(step.key)
  }
  return groups
}

const sendAll = async (connection: Connection, groups: Step[][], control: Control): Promise<void> => {
  for (const group of groups) {
    const requests = semaphore(inFlight)
    let refused = false
    const send = async (step: Step): Promise<void> => {
      if (refused) return
      const build = step.build([control])
      const response = await connection.request((messageId) => {
        step.messageId = messageId
        return build(messageId)
      })
      if (response.code !== resultCodes.success) throw writeError(response, step.write, step.index)
    }
    const sent = group.map((step) =>
      requests.run(() =>
        send(step).catch((error: unknown) => {
          refused = true
          throw error
        }),
      ),
    )
    // All of them, so that no response is outstanding when the transaction ends.
    await allDone(sent)
  }
}

/** RFC 5805 section 2.4: `SEQUENCE { commit BOOLEAN DEFAULT TRUE, identifier OCTET STRING }`. */
const endTransaction = (connection: Connection, identifier: Buffer, commit: boolean): Promise<LdapResponse> => {
  const writer = new BerWriter()
  writer.startSequence()
  if (!commit) writer.writeBoolean(false)
  writer.writeBuffer(identifier, Ber.OctetString)
  writer.endSequence()
  return connection.request(
    (messageId) => new ExtendedRequest({ messageId, oid: endTransactionOid, value: writer.buffer }),
  )
}

/** The response's value starts with the message id of the request that failed: `SEQUENCE { messageID INTEGER … }`. */
const refusedMessageId = (value: Buffer | null): number | null => {
  if (!value) return null
  const reader = new BerReader(value)
  return reader.readSequence() !== null && reader.peek() === Ber.Integer ? reader.readInt() : null
}
