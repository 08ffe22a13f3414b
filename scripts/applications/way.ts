import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Directory } from './office.ts'
import type { Trial } from './trial.ts'

/** How a directory that is asked through a way ends: refused at once, or taken and never answered. */
export interface Way {
  close(): Promise<void>
  /** Ends the connections, and answers new ones no more. */
  block(): void
  /** Answers no more, on open connections too. */
  freeze(): void
  open(): Promise<void>
}

/** Leads to a port of a directory from another address, so that one machine loses it and others do not. */
const openWay = async (address: string, port: number, directory: Directory): Promise<Way> => {
  const sockets = new Set<Socket>()
  let isBlocked = false
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    // Either end may go at any time, which is what is tried.
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    keep(near)
    if (isBlocked) return
    const far = connect(port, directory.address)
    keep(far)
    near.pipe(far).pipe(near)
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
  })
  const end = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const open = async (): Promise<void> => {
    isBlocked = false
    if (server.listening) return end()
    await once(server.listen(port, address), 'listening')
  }
  await open()
  return {
    open,
    block: () => {
      isBlocked = true
      end()
    },
    freeze: () => {
      isBlocked = true
      for (const socket of sockets) socket.pause()
    },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      end()
      await closed
    },
  }
}

/**
 * Tries what happens when the directory goes and comes back, on a machine that has followed its page.
 * @param address of the way, one for each application; @param unit what is started anew to take it, if anything;
 * @param port of the directory
 */
export const tryWay = async (
  { machine, directory }: Pick<Trial, 'machine' | 'directory'>,
  address: string,
  unit: string,
  hold: (way: Way) => Promise<void>,
  port = 636,
): Promise<void> => {
  const way = await openWay(address, port, directory)
  try {
    await machine.shell(`sed 's/^${directory.address} /${address} /' /etc/hosts >/root/hosts
      cat /root/hosts >/etc/hosts
      systemctl restart ${unit}`)
    await hold(way)
  } finally {
    await way.close()
    await machine.shell(`sed 's/^${address} /${directory.address} /' /etc/hosts >/root/hosts
      cat /root/hosts >/etc/hosts
      systemctl restart ${unit}`)
  }
}
