import type { PGlite } from '@electric-sql/pglite'

/**
 * Gives every connection a session of its own. PGlite has one for all of them: what a connection leaves behind when it
 * drops (an open transaction, half a message exchange, locks, settings) would meet the next one. So before the start-up
 * message of a connection is handled, the session is put back to its beginning. Connections must follow each other.
 */
export const separateSessions = (cluster: PGlite): void => {
  const execute = cluster.execProtocolRawStream.bind(cluster)
  cluster.execProtocolRawStream = async (message, options) => {
    if (message[0] === startup) await execute(afresh, { onRawData: () => {} })
    return execute(message, options)
  }
}

/** Its first byte is that of its length; every other message has a letter there. */
const startup = 0

const message = (type: string, text = ''): Buffer => {
  const body = Buffer.from(text && `${text}\0`)
  const head = Buffer.alloc(5, type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const afresh = Buffer.concat([message('S'), message('Q', 'rollback'), message('Q', 'discard all')])
