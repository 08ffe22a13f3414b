import { closeSync, fdatasyncSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Setup = Parameters<NodeFS['init']>[1]
/** An open file of PostgreSQL in the file system layer; `nfd` is Node's descriptor. */
interface Stream {
  path?: string
  nfd: number
}

/**
 * PGlite's folder on disk, with the one call it lacks: fsync. PGlite starts PostgreSQL with fsync off (`-F`) and its
 * file system layer ignores the call (electric-sql/pglite#1107), so that a power cut loses the database. With this
 * class and `durableParameters`, PostgreSQL does its own syncing: the write-ahead log before a commit is acknowledged,
 * the data files before a checkpoint counts, the whole folder on recovery.
 */
export class DurableFolder extends NodeFS {
  override async init(...[cluster, setup]: Parameters<NodeFS['init']>): Promise<{ emscriptenOpts: Setup }> {
    const { emscriptenOpts } = await super.init(cluster, setup)
    const preRun = [...(emscriptenOpts.preRun ?? []), addSync]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }
}

/** How to start PostgreSQL so that it syncs: fsync on, and by fsync(2), as fdatasync(2) does nothing in this build. */
export const durableParameters = (standard: readonly string[]): string[] => [
  ...standard.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
]

const addSync: NonNullable<Setup['preRun']>[number] = (runtime) => {
  const { stream_ops } = (runtime.FS.filesystems as { NODEFS: { stream_ops: { fsync?: (stream: Stream) => number } } })
    .NODEFS
  stream_ops.fsync = ({ path, nfd }) => {
    try {
      // A segment of the log has its full size from the start, so only its content must be synced.
      if (path?.includes('/pg_wal/')) fdatasyncSync(nfd)
      else fsyncSync(nfd)
      return 0
    } catch (error) {
      // After a failed sync the state of the disk is unknown. PostgreSQL panics here: the thread ends, and recovery
      // follows.
      console.error('The embedded database cannot sync its files', error)
      process.exit(1)
    }
  }
}

/** Syncs a folder and everything below it to the disk. */
export const syncTree = (folder: string): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncPath(folder)
}

/** Syncs a file's content, or a folder's list of names, to the disk. */
export const syncPath = (path: string): void => {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
