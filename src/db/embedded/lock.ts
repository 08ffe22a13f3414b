import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { ConfigError } from '../../config.ts'

/** Gives the folder back. */
type Release = () => Promise<void>

/**
 * Takes a folder for this process alone: PGlite itself lets two processes open one cluster and lose each other's rows.
 * On Linux the lock is an abstract Unix socket, which the kernel gives back however the process ends; it holds within
 * one network namespace, so two containers must not share a data directory. Elsewhere it is a file with a process id.
 * @throws ConfigError naming DATA_DIR when another process has it.
 */
export const lockFolder = (folder: string): Promise<Release> => {
  const path = realpathSync(folder)
  return process.platform === 'linux' ? lockBySocket(path) : lockByFile(path)
}

const taken = (folder: string, by = ''): ConfigError =>
  new ConfigError([`DATA_DIR: ${folder} is in use by another process${by}; the embedded database serves only one`])

const lockBySocket = (folder: string): Promise<Release> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.unref()
    server.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'EADDRINUSE' ? taken(folder) : error))
    server.listen(`\0steward-${createHash('sha256').update(folder).digest('hex')}`, () =>
      resolve(() => new Promise((released) => server.close(() => released()))),
    )
  })

const lockByFile = async (folder: string): Promise<Release> => {
  const file = join(folder, 'steward.pid')
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 })
      return async () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const holder = Number(readFileSync(file, 'utf8'))
      if (holder !== process.pid && isAlive(holder)) throw taken(folder, ` (${holder})`)
      rmSync(file, { force: true })
    }
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
