import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { inTime } from '../../concurrency/in-time.ts'
import { ConfigError } from '../../failures/errors.ts'
import { forbiddenInDataFolder, inDataFolder } from '../../files/data-folder.ts'
import { makeFolderSync } from '../../files/make-folder.ts'
import { privateSocket } from '../../network/private-socket.ts'
import { errorRecord, type Logger } from '../../runtime/log.ts'
import { shellWord } from '../../text/shell-word.ts'
import { DiskFullError, lackOfSpace } from './free-space.ts'
import { lockFolder } from './lock.ts'
import { refuseMoved } from './moved-away.ts'
import { ensureCluster } from './new-cluster.ts'
import type { WorkerSettings } from './worker.ts'

export interface EmbeddedServer {
  /** A Unix socket that speaks PostgreSQL's protocol without a password, in a folder with mode 0700. */
  socketPath: string
  /** Makes a checkpoint and ends; a query that takes longer than 3 s is cancelled, which loses nothing committed. */
  close(): Promise<void>
}

interface EmbeddedOptions {
  dataDir: string
  durable: boolean
  log: Logger
}

/**
 * PostgreSQL (PGlite) in a thread of its own, its cluster in `dataDir/postgres`. If the thread ends, it is started
 * again, and queries fail meanwhile as during the restart of a server.
 * @throws ConfigError naming DATA_DIR when the folder is open to others, in use by another process, was moved to a
 *   server, or its disk is full.
 */
export const startEmbedded = async ({ dataDir, durable, log }: EmbeddedOptions): Promise<EmbeddedServer> => {
  ensurePrivateFolder(dataDir)
  refuseMoved(dataDir)
  const release = await lockFolder(dataDir)
  const socket = privateSocket(dataDir, 'postgres.socket')
  const settings = { folder: resolve(dataDir, 'postgres'), socketPath: socket.path, durable }
  let stopping = false

  const watch = (worker: Worker): Worker =>
    worker
      .on('error', (error) => log.error({ error: errorRecord(error) }, 'The embedded database failed'))
      .once('exit', (code) => {
        if (stopping) return
        log.error({ code }, 'The embedded database ended unexpectedly; starting it again')
        running = restart()
      })

  const restart = async (): Promise<Worker | null> => {
    for (let attempt = 0; !stopping; attempt++) {
      try {
        return watch(await launch(settings))
      } catch (error) {
        log.error({ error: errorRecord(error) }, 'The embedded database does not start')
        await delay(Math.min(500 * 2 ** attempt, 10_000), undefined, { ref: false })
      }
    }
    return null
  }

  const tidy = async (): Promise<void> => {
    socket.remove()
    await release()
  }

  let running: Promise<Worker | null>
  try {
    running = Promise.resolve(watch(await launch(settings)))
  } catch (error) {
    await tidy()
    throw explained(error, dataDir)
  }

  return {
    socketPath: socket.path,
    close: async () => {
      stopping = true
      const worker = await running
      if (worker) await end(worker)
      await tidy()
    },
  }
}

/** Starts the thread, and creates the cluster at the first start; resolves once the database answers. */
const launch = async (settings: WorkerSettings): Promise<Worker> => {
  await ensureCluster(settings)
  return startThread(settings)
}

/** Why the database does not start, where its own error does not say it: it sees a file that it cannot read or write. */
const explained = (error: unknown, dataDir: string): unknown => {
  if (error instanceof ConfigError) return error
  const lack = lackOfSpace(dataDir)
  if (lack !== null) return new DiskFullError(lack)
  const forbidden = forbiddenInDataFolder(dataDir)
  return forbidden === null ? error : new ConfigError([`DATA_DIR: ${forbidden.text}; ${forbidden.advice}`])
}

/** What the thread allocates outside of WebAssembly is short-lived; V8 would let it grow to 48 MB before it collects. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 }

const startThread = (settings: WorkerSettings): Promise<Worker> =>
  new Promise((ready, failed) => {
    const worker = startWorker({ workerData: settings, name: 'embedded-database', resourceLimits })
    worker.once('message', () => ready(worker))
    worker.on('error', failed)
    worker.once('exit', (code) => failed(new Error(`The embedded database ended while it was starting (${code})`)))
  })

const end = async (worker: Worker): Promise<void> => {
  const ended = new Promise<true>((resolve) => worker.once('exit', () => resolve(true)))
  worker.postMessage('stop')
  if (!(await inTime(3000, ended, () => false))) await worker.terminate()
}

/**
 * Creates the data directory with mode 0700. A directory that other users may enter is refused: the database writes its
 * files, with password hashes, readable and writable for every user, so that only the directory protects them.
 */
const ensurePrivateFolder = (folder: string): void => {
  inDataFolder(folder, () => makeFolderSync(folder))
  const mode = statSync(folder).mode & 0o777
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new ConfigError([
      `DATA_DIR: ${folder} is open to other users (mode ${mode.toString(8)}); run: chmod 700 ${shellWord(folder)}`,
    ])
  }
}

/**
 * Starts the worker thread. Compiled, that is worker.js beside this file. From source (tsx, tap) a thread of Node 20
 * does not inherit the loader for TypeScript, so it is registered in the thread first; the parent's other loaders would
 * only slow it down.
 */
const startWorker = (options: WorkerOptions): Worker => {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./worker.js', import.meta.url), options)
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  const worker = JSON.stringify(new URL('./worker.ts', import.meta.url).href)
  const source = `import { register } from ${loader}; register(); await import(${worker})`
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { ...options, execArgv: [] })
}
