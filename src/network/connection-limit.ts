import type { Server, Socket } from 'node:net'
import { subscriberOf } from '../text/throttle-keys.ts'

/**
 * What a connection is used for: nothing; a request that has not arrived whole; an answer that its client is not reading just
 * now; an answer that is being made.
 */
export type Activity = 'none' | 'arriving' | 'unread' | 'answering'

export interface BoundOptions {
  /** Connections at one time. */
  most: number
  /** Default: none of them is used. */
  activityOf?: (socket: Socket) => Activity
  /** Told of each connection that is closed so. */
  closed?: (address: string) => void
}

/** The connections of one address. */
interface Sockets {
  /** Without a request, those first whose last one is longest ago. */
  idle: Set<Socket>
  busy: Set<Socket>
}

const sizeOf = ({ idle, busy }: Sockets): number => idle.size + busy.size

/**
 * So many of those of an address are looked at for one newcomer, and further ones for the next: a flood must not have all of them
 * looked at for each.
 */
const mostLooks = 100

/**
 * Bounds the connections of a server. Above it, one of the address that has most of them is closed for each that comes; so an
 * address that connects again and again does not keep out others. Of those of an address, one without use goes before one whose
 * request is still arriving, for behind a proxy all have one address. An answer that is not read is given up only for an
 * address with fewer connections; one that is being made never is: then the new connection is closed.
 *
 * What has arrived is read before: otherwise a request would be lost that was sent on a connection which seemed to be idle. So for two
 * turns of the event loop there may be twice as many.
 * @returns call it when a request begins on a connection, and when it is answered
 */
export const boundConnections = (
  server: Pick<Server, 'on'>,
  { most, activityOf = () => 'none', closed = () => {} }: BoundOptions,
): ((socket: Socket) => void) => {
  /** Kept up to date: a flood of connections must not count all of them for each. */
  const byAddress = new Map<string, Sockets>()
  const open = new Map<Socket, { address: string; sockets: Sockets }>()
  const newcomers: Socket[] = []

  const forget = (socket: Socket): void => {
    const place = open.get(socket)
    if (place === undefined) return
    open.delete(socket)
    place.sockets.idle.delete(socket)
    place.sockets.busy.delete(socket)
    if (sizeOf(place.sockets) === 0) byAddress.delete(place.address)
  }

  const used = (socket: Socket): void => {
    const sockets = open.get(socket)?.sockets
    sockets?.idle.delete(socket)
    sockets?.busy.delete(socket)
    sockets?.[activityOf(socket) === 'none' ? 'idle' : 'busy'].add(socket)
  }

  const makeRoom = (newcomer: Socket): void => {
    const own = open.get(newcomer)?.sockets
    while (own !== undefined && open.size > most && open.has(newcomer)) {
      const missed = leastMissed(byAddress.values(), { newcomer, own, activityOf })
      if (missed === null) return
      closed(open.get(missed)?.address ?? '')
      forget(missed)
      missed.destroy()
    }
  }

  const makeRoomForAll = (): void => {
    for (const newcomer of newcomers.splice(0)) makeRoom(newcomer)
  }

  server.on('connection', (socket: Socket) => {
    const address = subscriberOf(socket.remoteAddress ?? '')
    const sockets = byAddress.get(address) ?? { idle: new Set(), busy: new Set() }
    sockets.idle.add(socket)
    byAddress.set(address, sockets)
    open.set(socket, { address, sockets })
    socket.once('close', () => forget(socket))
    if (open.size <= most) return
    newcomers.push(socket)
    if (open.size > 2 * most) makeRoomForAll()
    else if (newcomers.length === 1) setImmediate(() => setImmediate(makeRoomForAll))
  })
  return used
}

interface Newcomer extends Required<Pick<BoundOptions, 'activityOf'>> {
  newcomer: Socket
  /** Those of its address, with itself. */
  own: Sockets
}

/** null: none may be closed, not even the newcomer, which has asked for something already. */
const leastMissed = (all: Iterable<Sockets>, { newcomer, own, activityOf }: Newcomer): Socket | null => {
  let missed: Socket | null = null
  let unread: Socket | null = null
  let [most, mostUnread] = [0, sizeOf(own)]
  for (const sockets of all) {
    const size = sizeOf(sockets)
    if (size < sizeOf(own) || size <= most) continue
    const candidate = firstIdle(sockets, newcomer)
    if (candidate !== undefined) {
      ;[missed, most] = [candidate, size]
      continue
    }
    const first = firstOf(sockets, (socket) => (socket === newcomer ? 'answering' : activityOf(socket)))
    if (first.arriving !== undefined) [missed, most] = [first.arriving, size]
    else if (first.unread !== undefined && size > mostUnread) [unread, mostUnread] = [first.unread, size]
  }
  return missed ?? unread ?? (['none', 'arriving'].includes(activityOf(newcomer)) ? newcomer : null)
}

const firstIdle = ({ idle }: Sockets, newcomer: Socket): Socket | undefined => {
  for (const socket of idle) if (socket !== newcomer) return socket
  return undefined
}

/** The first busy socket of each use; where one is still arriving, further ones are not looked at. */
const firstOf = ({ busy }: Sockets, activityOf: (socket: Socket) => Activity): Partial<Record<Activity, Socket>> => {
  const first: Partial<Record<Activity, Socket>> = {}
  let left = Math.min(busy.size, mostLooks)
  for (const socket of busy) {
    if (left === 0) break
    left -= 1
    first[activityOf(socket)] ??= socket
    if (first.arriving !== undefined) break
    // The next newcomer looks at those behind it.
    busy.delete(socket)
    busy.add(socket)
  }
  return first
}
