import type { Server, Socket } from 'node:net'
import { subscriberOf } from '../text/throttle-keys.ts'

/**
 * What a connection is in use for. `none`: it is idle. `arriving`: its request has not arrived completely. `unread`: its client
 * does not read the response at present. `answering`: its response is being made.
 */
export type Activity = 'none' | 'arriving' | 'unread' | 'answering'

export interface BoundOptions {
  /** Connections at one time. */
  max: number
  /** Default: all are idle. */
  activityOf?: (socket: Socket) => Activity
  /** Called with the address of each connection that is closed because of the limit. */
  closed?: (address: string) => void
}

/** The connections of one address. */
interface Sockets {
  /** Without a request; the first is the one whose last request is longest ago. */
  idle: Set<Socket>
  busy: Set<Socket>
}

const sizeOf = ({ idle, busy }: Sockets): number => idle.size + busy.size

/**
 * Busy connections of one address that are examined for one newcomer; the next newcomer continues behind them. In a flood
 * it would be too slow to examine all of them for each.
 */
const maxExamined = 100

/**
 * Limits the connections of a server. Above the limit, each new connection evicts one of the address that has the most, so
 * that an address that connects again and again does not keep out others. Of the connections of that address, an idle one
 * is closed before one whose request is still arriving, because behind a proxy all have the same address. A connection
 * with an unread response is closed only for an address with fewer connections. One whose response is being made is never
 * closed: then the new connection is closed instead.
 *
 * What has arrived is read first: otherwise a request would be lost that was sent on a connection which seemed to be idle. So
 * for two turns of the event loop there may be twice as many connections.
 * @returns call it when a request begins on a connection, and when it is answered
 */
export const boundConnections = (
  server: Pick<Server, 'on'>,
  { max, activityOf = () => 'none', closed = () => {} }: BoundOptions,
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
    while (own !== undefined && open.size > max && open.has(newcomer)) {
      const evicted = socketToEvict(byAddress.values(), { newcomer, own, activityOf })
      if (evicted === null) return
      closed(open.get(evicted)?.address ?? '')
      forget(evicted)
      evicted.destroy()
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
    if (open.size <= max) return
    newcomers.push(socket)
    if (open.size > 2 * max) makeRoomForAll()
    else if (newcomers.length === 1) setImmediate(() => setImmediate(makeRoomForAll))
  })
  return used
}

interface Newcomer extends Required<Pick<BoundOptions, 'activityOf'>> {
  newcomer: Socket
  /** The connections of its address, itself included. */
  own: Sockets
}

/** null: no connection may be closed, not even the newcomer, because it has already sent a request. */
const socketToEvict = (all: Iterable<Sockets>, { newcomer, own, activityOf }: Newcomer): Socket | null => {
  let evicted: Socket | null = null
  let unread: Socket | null = null
  let [max, maxUnread] = [0, sizeOf(own)]
  for (const sockets of all) {
    const size = sizeOf(sockets)
    if (size < sizeOf(own) || size <= max) continue
    const candidate = firstIdle(sockets, newcomer)
    if (candidate !== undefined) {
      ;[evicted, max] = [candidate, size]
      continue
    }
    const first = firstOf(sockets, (socket) => (socket === newcomer ? 'answering' : activityOf(socket)))
    if (first.arriving !== undefined) [evicted, max] = [first.arriving, size]
    else if (first.unread !== undefined && size > maxUnread) [unread, maxUnread] = [first.unread, size]
  }
  return evicted ?? unread ?? (['none', 'arriving'].includes(activityOf(newcomer)) ? newcomer : null)
}

const firstIdle = ({ idle }: Sockets, newcomer: Socket): Socket | undefined => {
  for (const socket of idle) if (socket !== newcomer) return socket
  return undefined
}

/** The first busy socket of each activity; it stops at one whose request is arriving. */
const firstOf = ({ busy }: Sockets, activityOf: (socket: Socket) => Activity): Partial<Record<Activity, Socket>> => {
  const first: Partial<Record<Activity, Socket>> = {}
  let left = Math.min(busy.size, maxExamined)
  for (const socket of busy) {
    if (left === 0) break
    left -= 1
    first[activityOf(socket)] ??= socket
    if (first.arriving !== undefined) break
    // To the end of the set: the next newcomer begins behind it.
    busy.delete(socket)
    busy.add(socket)
  }
  return first
}
