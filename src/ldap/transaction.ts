import { setTimeout as delay } from 'node:timers/promises'
import { Ber, BerReader, BerWriter, Control, ExtendedRequest } from 'ldapts'
import type { Connection } from './connection.ts'
import type { Answer } from './connection-answer.ts'
import type { Write } from './directory.ts'
import { normalizeDn, parentDn } from './dn.ts'
import { outcomeError, resultCodes } from './result-code.ts'
import { createTurns } from './turns.ts'
import { describeWrite, writeRequest } from './write-request.ts'

export const startTransactionOid = '1.3.6.1.1.21.1'
const specificationOid = '1.3.6.1.1.21.2'
const endTransactionOid = '1.3.6.1.1.21.3'

/** Requests on their way at once; slapd ends a connection with more than 1000. */
const inFlight = 64

/**
 * Milliseconds between the last answer and the end of the transaction. slapd (2.5.13) frees the writes of a transaction
 * when that ends, while the thread that answered the last of them may still be on its way out: it then crashes. With
 * no pause a few hundred small transactions are enough; with 5 ms it still happened on a busy machine, with 25 no more.
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
 * Carries out all writes or none (RFC 5805), on a connection that nobody else uses meanwhile.
 * @throws DirectoryError of the first write that is refused, with its `index` where the server tells
 */
export const runTransaction = async (connection: Connection, writes: Write[]): Promise<void> => {
  const started = await connection.request((messageId) => new ExtendedRequest({ messageId, oid: startTransactionOid }))
  if (started.code !== resultCodes.success) throw outcomeError(started, 'start a transaction')
  const identifier = started.value ?? Buffer.alloc(0)

  let sent: number[]
  try {
    sent = await sendAll(connection, writes, new TransactionControl(identifier))
  } catch (error) {
    await delay(settling)
    if (connection.alive) await endTransaction(connection, identifier, false)
    throw error
  }
  await delay(settling)
  const ended = await endTransaction(connection, identifier, true)
  if (ended.code === resultCodes.success) return
  const index = refusedIndex(ended.value, sent)
  const write = index === undefined ? undefined : writes[index]
  throw outcomeError(ended, write ? describeWrite(write) : 'commit the transaction', index)
}

/** @returns the message ids, in the order of `writes` */
const sendAll = async (connection: Connection, writes: Write[], control: Control): Promise<number[]> => {
  const sent: number[] = []
  let index = 0
  for (const group of independentGroups(writes)) {
    const turns = createTurns(inFlight)
    let refused = false
    const answers = group.map((write) => {
      const position = index++
      return turns.run(async () => {
        if (refused) return
        const build = writeRequest(write, [control])
        const answer = await connection
          .request((messageId) => {
            sent[position] = messageId
            return build(messageId)
          })
          .catch((error: unknown) => {
            refused = true
            throw error
          })
        if (answer.code === resultCodes.success) return
        refused = true
        throw outcomeError(answer, describeWrite(write), position)
      })
    })
    // All of them, so that no answer is still on its way when the transaction is ended.
    const failure = (await Promise.allSettled(answers)).find((result) => result.status === 'rejected')
    if (failure) throw failure.reason
  }
  return sent
}

/**
 * slapd works on the requests of one connection in parallel, so two that are sent together may enter the transaction
 * in either order. Only those go together for which that makes no difference: adds or deletes of siblings, changes
 * to different entries.
 */
const independentGroups = (writes: Write[]): Write[][] => {
  const groups: Write[][] = []
  let scope = ''
  let names = new Set<string>()
  for (const write of writes) {
    const name = normalizeDn(write.dn)
    const itsScope = write.kind === 'modify' ? 'modify' : `${write.kind} ${normalizeDn(parentDn(write.dn))}`
    if (write.kind === 'rename' || itsScope !== scope || names.has(name)) {
      groups.push([])
      names = new Set()
      scope = itsScope
    }
    names.add(name)
    groups.at(-1)?.push(write)
  }
  return groups
}

/** RFC 5805 section 2.4: `SEQUENCE { commit BOOLEAN DEFAULT TRUE, identifier OCTET STRING }`. */
const endTransaction = (connection: Connection, identifier: Buffer, commit: boolean): Promise<Answer> => {
  const writer = new BerWriter()
  writer.startSequence()
  if (!commit) writer.writeBoolean(false)
  writer.writeBuffer(identifier, Ber.OctetString)
  writer.endSequence()
  return connection.request(
    (messageId) => new ExtendedRequest({ messageId, oid: endTransactionOid, value: writer.buffer }),
  )
}

/** The answer's value starts with the message id of the request that failed: `SEQUENCE { messageID INTEGER … }`. */
const refusedIndex = (value: Buffer | null, sent: number[]): number | undefined => {
  if (!value) return undefined
  const reader = new BerReader(value)
  if (reader.readSequence() === null || reader.peek() !== Ber.Integer) return undefined
  const index = sent.indexOf(reader.readInt() ?? 0)
  return index < 0 ? undefined : index
}
