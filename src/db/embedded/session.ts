import type { PGlite } from '@electric-sql/pglite'

/**
 * Gives every connection a session of its own. PGlite has one session for all connections: what one leaves behind (an
 * open transaction, half a message exchange, locks, settings) would affect the next. So the session is reset before the
 * start-up message of a connection is handled. There must be one connection at a time.
 *
 * The messages of a statement are carried out together when the one comes that asks for their answers, and are answered
 * together, as a server does. PGlite's socket server carries out each by itself and writes several answers to each.
 */
export const separateSessions = (cluster: PGlite): void => {
  const execute = cluster.execProtocolRawStream.bind(cluster)
  let waiting: Uint8Array[] = []
  let size = 0
  cluster.execProtocolRawStream = async (message, options) => {
    const [type = startup] = message
    if (type === startup || type === terminate) {
      waiting = []
      size = 0
    }
    if (type === startup) {
      await execute(afresh, { onRawData: () => {} })
      return execute(message, options)
    }
    waiting.push(message)
    size += message.length
    if (deferred.has(type) && size < max) return
    const together = waiting.length === 1 ? message : Buffer.concat(waiting, size)
    waiting = []
    size = 0
    let answers: Buffer[] = []
    let length = 0
    const send = (): void => {
      if (answers.length > 0) options.onRawData(Buffer.concat(answers, length))
      answers = []
      length = 0
    }
    await execute(together, {
      ...options,
      onRawData(part) {
        // It is a view of memory that holds the next part soon.
        answers.push(Buffer.from(part))
        length += part.length
        if (length >= max) send()
      },
    })
    send()
  }
}

/** A start-up message begins with its length, whose first byte is 0; every other message begins with a letter. */
const startup = 0

/** PGlite ignores it, unless it comes together with others: then PostgreSQL would end. */
const terminate = 'X'.charCodeAt(0)

/** Parse, Bind, Describe, Execute, Close: a server answers them with the Sync, the Flush or the query that follows. */
const deferred = new Set(Buffer.from('PBDEC'))

/** Bytes that are kept, of messages as of answers. */
const max = 64 * 1024

const message = (type: string, text = ''): Buffer => {
  const body = Buffer.from(text && `${text}\0`)
  const head = Buffer.alloc(5, type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const afresh = Buffer.concat([message('S'), message('Q', 'rollback'), message('Q', 'discard all')])
