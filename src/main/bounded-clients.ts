import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Unanswered } from '../contract/unanswered.ts'
import { boundConnections } from '../network/connection-limit.ts'
import type { Logger } from '../runtime/log.ts'
import { openFileLimit } from '../runtime/open-file-limit.ts'

/** Each takes some 15 KB. */
const defaultMax = 10_000
/** The rest is for the embedded directory, for the connections to servers, and for files. */
const share = 1 / 4
/** Milliseconds between two lines of the log. */
const quiet = 60_000

/** The connections that clients of HTTP may have at one time. */
export const maxClients = (openFiles = openFileLimit()): number =>
  openFiles === null ? defaultMax : Math.min(defaultMax, Math.floor(openFiles * share))

/**
 * Bounds the connections of HTTP: clients that connect and send nothing, or half a request, would take every file that the process
 * may open, also from its connections to the database and the directory.
 * @returns call it when a request begins on a connection, and when it is answered
 */
export const boundClients = (
  server: Pick<Server, 'on'>,
  { activityOf }: Pick<Unanswered, 'activityOf'>,
  log: Logger,
  max = maxClients(),
): ((socket: Socket) => void) => {
  let count = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  return boundConnections(server, {
    max,
    activityOf,
    closed(address) {
      count += 1
      if (performance.now() - loggedAt < quiet) return
      log.warn(
        { most: max, closed: count, address },
        'there are too many connections: of the address with most, some are closed',
      )
      loggedAt = performance.now()
      count = 0
    },
  })
}
