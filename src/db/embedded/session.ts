import type { PGlite } from '@electric-sql/pglite'

/**
 * Gives every connection a session of its own. PGlite has one session for all connections: what one leaves behind (an
 * open transaction, half a message exchange, locks, settings) would affect the next. So the session is reset before the
 * start-up message of a connection is handled. There must be one connection at a time.
 */
export const separateSessions = (cluster: PGlite): void => {
  const execute = cluster.execProtocolRawStream.bind(cluster)
  cluster.execProtocolRawStream = async (message, options) => {
    if (message[0] === startup) await execute(afresh, { onRawData: () => {} })
    return execute(message, options)
  }
}

/** A start-up message begins with its length, whose first byte is 0; every other message begins with a letter. */
const startup = 0

const message = (type: string, text = ''): Buffer => {
  const body = Buffer.from(text && `${text}\0`)
  const head = Buffer.alloc(5, type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const afresh = Buffer.concat([message('S'), message('Q', 'rollback'), message('Q', 'discard all')])
