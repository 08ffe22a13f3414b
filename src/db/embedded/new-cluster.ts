import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { CreateSettings } from './create.ts'
import { syncPath } from './durable-folder.ts'
import { DiskFullError, lackOfSpace } from './free-space.ts'

/**
 * Creates the cluster unless it exists already. The caller holds the lock of the data directory.
 *
 * It is created under another name and renamed here when complete, so that a crash never leaves an incomplete cluster.
 * A creating process that outlives the holder of the lock for a moment writes to a name that no later one uses.
 */
export const ensureCluster = async ({ folder, durable }: CreateSettings): Promise<void> => {
  removeDrafts(folder)
  if (existsSync(folder)) return
  const draft = `${folder}.new-${process.pid}-${Date.now()}`
  try {
    await createInProcess({ folder: draft, durable })
  } catch (error) {
    const lack = lackOfSpace(dirname(folder))
    removeDrafts(folder)
    throw lack === null ? error : new DiskFullError(lack)
  }
  renameSync(draft, folder)
  if (durable) syncPath(dirname(folder))
}

const removeDrafts = (folder: string): void => {
  const parent = dirname(folder)
  const prefix = `${basename(folder)}.new`
  for (const name of readdirSync(parent)) {
    if (name.startsWith(prefix)) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

/** A process that lives for seconds does not gain from optimised code or a large heap for young objects. */
const frugally = ['--liftoff-only', '--max-semi-space-size=2']

/** Compiled, that is create.js beside this file. From source (tsx, tap) the process needs a loader for TypeScript. */
const createInProcess = async (settings: CreateSettings): Promise<void> => {
  const fromSource = import.meta.url.endsWith('.ts')
  const child = fork(new URL(fromSource ? './create.ts' : './create.js', import.meta.url), {
    execArgv: [...frugally, ...(fromSource ? ['--import', import.meta.resolve('tsx/esm')] : [])],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  // A process that has ended already says so by its exit.
  child.send(settings, () => {})
  const [code, signal] = await ended
  if (code !== 0) throw new Error(`The creation of the embedded database ended with ${code ?? signal}`)
}
