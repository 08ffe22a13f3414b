import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readdirSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { codeOf } from '../../failures/caught-error.ts'
import { ConfigError } from '../../failures/errors.ts'
import { dataFolderProblem, inDataFolder } from '../../files/data-folder.ts'
import { FolderInUseError } from './folder-in-use.ts'

/** Releases the folder. */
type Release = () => Promise<void>

/** The system accepts some 100 bytes as the path of a socket. */
const longestPath = 100

const keptClaims = 8

const claimPattern = /^steward\.lock\.(\d{1,15})$/
const socketPattern = /^steward-[\da-f-]{36}\.lock-socket$/

/**
 * Locks a folder for this process: PGlite itself lets two processes open one cluster and lose each other's rows.
 *
 * The holder listens on a Unix socket in the folder, and the link `steward.lock.N` with the greatest number names it.
 * The kernel tells whether the holder is alive: the socket of a process that has ended refuses connections. A process
 * id would not tell, because another process may have it now. Containers share the socket together with the folder.
 * Only a process that may enter the folder (mode 0700) can take the lock.
 *
 * Two processes that start at once both see a dead holder N, and both create the link N+1. The kernel gives it to one.
 * The newest links stay, also after the end. So a process that read the folder long ago either fails to create its
 * link, or finds a greater one afterwards and gives up.
 * @throws FolderInUseError when another process holds the lock; ConfigError naming DATA_DIR when it cannot be taken
 */
export const lockFolder = async (folder: string): Promise<Release> => {
  const path = realpathSync(folder)
  const reach = reachable(path)
  const own = `steward-${randomUUID()}.lock-socket`
  const listening = await listen(reach.path(own), path)
  const giveBack = async (): Promise<void> => {
    await listening.close()
    rmSync(join(path, own), { force: true })
    reach.close()
  }
  let given: Promise<void> | null = null
  const release: Release = () => {
    given ??= giveBack()
    return given
  }
  try {
    await claim(path, own, reach.path)
    return release
  } catch (error) {
    await release()
    throw error
  }
}

const claim = async (folder: string, own: string, pathOf: (name: string) => string): Promise<void> => {
  for (;;) {
    const newest = newestClaim(folder)
    if (newest > 0 && (await answers(pathOf(`steward.lock.${newest}`), folder))) throw new FolderInUseError(folder)
    const mine = newest + 1
    if (!inDataFolder(folder, () => link(own, join(folder, `steward.lock.${mine}`)))) continue
    if (newestClaim(folder) === mine) return removeOlder(folder, mine)
    rmSync(join(folder, `steward.lock.${mine}`), { force: true })
  }
}

const claimNumber = (name: string): number => Number(claimPattern.exec(name)?.[1] ?? 0)

const newestClaim = (folder: string): number => Math.max(0, ...readdirSync(folder).map(claimNumber))

/** false: another process created it first. */
const link = (target: string, path: string): boolean => {
  try {
    symlinkSync(target, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * Removes old links and their sockets. Listing a folder is not atomic. Because the newest links stay, a listing misses
 * the greatest number only if as many holders started and ended while it was read.
 */
const removeOlder = (folder: string, mine: number): void => {
  for (const name of readdirSync(folder)) {
    const number = claimNumber(name)
    if (number === 0 || number > mine - keptClaims) continue
    const path = join(folder, name)
    const socket = linkTarget(path)
    if (socketPattern.test(socket)) rmSync(join(folder, socket), { force: true })
    rmSync(path, { force: true })
  }
}

const linkTarget = (path: string): string => {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

const listen = (path: string, folder: string): Promise<{ close(): Promise<void> }> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.unref()
    server.once('error', (error: NodeJS.ErrnoException) => reject(socketProblem(folder, error)))
    server.listen(path, () => resolve({ close: () => new Promise((closed) => server.close(() => closed())) }))
  })

/** What the system says of any new file; of a socket there are more reasons, such as a file system that has none (EPERM). */
const ofAnyFile: ReadonlySet<string> = new Set(['EACCES', 'EROFS', 'ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'])

const socketProblem = (folder: string, error: NodeJS.ErrnoException): unknown =>
  ofAnyFile.has(error.code ?? '')
    ? dataFolderProblem(folder, error)
    : new ConfigError([
        `DATA_DIR: no socket can be made in ${folder} (${error.code ?? error.message}); choose a folder of a local disk`,
      ])

/**
 * Whether a process listens there; one that is too busy to answer (EAGAIN) does.
 * @throws ConfigError where the system does not tell, as for the files of another user
 */
const answers = (path: string, folder: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => {
      if (code === 'EAGAIN') resolve(true)
      else if (code === 'ECONNREFUSED' || code === 'ENOENT') resolve(false)
      // The process ended during the connection.
      else if (code === 'ECONNRESET') resolve(answers(path, folder))
      else reject(new ConfigError([`DATA_DIR: whether another process uses ${folder} cannot be told: ${code}`]))
    })
  })

/** Names in the folder as paths short enough for a socket; on Linux a long folder is reached by its descriptor. */
const reachable = (folder: string): { path(name: string): string; close(): void } => {
  const longest = join(folder, `steward-${randomUUID()}.lock-socket`)
  if (Buffer.byteLength(longest) <= longestPath) return { path: (name) => join(folder, name), close: () => {} }
  if (process.platform !== 'linux') {
    throw new ConfigError([`DATA_DIR: ${folder} is too long a path for a socket; use a shorter one`])
  }
  const descriptor = openSync(folder, 'r')
  return { path: (name) => `/proc/self/fd/${descriptor}/${name}`, close: () => closeSync(descriptor) }
}
