import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { DurableFolder, durableParameters, syncPath, syncTree } from './durable-folder.ts'

/**
 * Opens the cluster in the folder, or creates one. The caller holds the folder's lock.
 * @param durable whether committed data survives a power cut.
 */
export const openCluster = async (folder: string, durable: boolean): Promise<PGlite> => {
  if (!existsSync(folder)) await createCluster(folder, durable)
  // A killed process leaves this file; a power cut leaves it empty, and PostgreSQL refuses an empty one.
  rmSync(join(folder, 'postmaster.pid'), { force: true })
  return start(folder, durable)
}

/** Created under another name and renamed when complete, so that a crash never leaves an incomplete cluster. */
const createCluster = async (folder: string, durable: boolean): Promise<void> => {
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  const cluster = await start(draft, durable)
  await cluster.close()
  if (durable) syncTree(draft)
  renameSync(draft, folder)
  if (durable) syncPath(dirname(folder))
}

const start = (folder: string, durable: boolean): Promise<PGlite> =>
  PGlite.create({
    fs: durable ? new DurableFolder(folder) : new NodeFS(folder),
    startParams: durable ? durableParameters(PGlite.defaultStartParams) : PGlite.defaultStartParams,
    extensions: { pg_trgm },
    onStderr: (line) => {
      if (/\b(PANIC|FATAL):/.test(line)) console.error(`The embedded database: ${line}`)
      return false
    },
  })
