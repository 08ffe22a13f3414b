import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { serverSettings } from '../server-settings.ts'
import { DurableFolder, durableParameters, syncTree } from './durable-folder.ts'

/**
 * What `npm run build` stores beside the compiled file: a cluster as initdb makes it (scripts/embedded-cluster.ts).
 * Without it, as from source, the first start runs initdb, which takes longer and twice the memory.
 */
const initial = new URL('./cluster.tar.gz', import.meta.url)

/**
 * PostgreSQL's default, 128 MB, stays resident in a process that may have little memory. The files are in the system's
 * cache as well: adds of people per second are the same with both (measured with some thousand people).
 */
const sharedBuffers = ['-c', 'shared_buffers=32MB']

/** PGlite has one session, which is there before connections are, and ignores the settings that these bring. */
const ofSession = Object.entries(serverSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`])

/**
 * Opens the cluster in the folder. The caller holds the lock of the data directory.
 * @param durable whether committed data survives a power cut.
 */
export const openCluster = async (folder: string, durable: boolean): Promise<PGlite> => {
  // A killed process leaves this file; a power cut leaves it empty, and PostgreSQL refuses an empty one.
  rmSync(join(folder, 'postmaster.pid'), { force: true })
  return start(folder, durable)
}

/** Creates a cluster in a new folder; with `durable` it is on the disk afterwards. */
export const createCluster = async (folder: string, durable: boolean): Promise<void> => {
  mkdirSync(folder, { mode: 0o700 })
  const cluster = await start(folder, durable, existsSync(initial) ? readFileSync(initial) : undefined)
  await cluster.close()
  if (durable) syncTree(folder)
}

const start = (folder: string, durable: boolean, content?: Buffer): Promise<PGlite> => {
  const standard = PGlite.defaultStartParams
  return PGlite.create({
    fs: durable ? new DurableFolder(folder) : new NodeFS(folder),
    startParams: [...(durable ? durableParameters(standard) : standard), ...sharedBuffers, ...ofSession],
    extensions: { pg_trgm },
    ...(content && { loadDataDir: new Blob([new Uint8Array(content)], { type: 'application/gzip' }) }),
    onStderr: (line) => {
      if (/\b(PANIC|FATAL):/.test(line)) console.error(`The embedded database: ${line}`)
      return false
    },
  })
}
