import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Logger } from '../../log.ts'
import { lockFolder } from './lock.ts'
import { ensurePrivateFolder } from './private-folder.ts'
import { workerEntry } from './worker-entry.ts'

export interface EmbeddedServer {
  socketPath: string
  close(): Promise<void>
}

export const startEmbedded = async ({
  dataDir,
  durable,
}: {
  dataDir: string
  durable: boolean
  log: Logger
}): Promise<EmbeddedServer> => {
  ensurePrivateFolder(dataDir)
  const release = await lockFolder(dataDir)
  const folder = join(dataDir, 'postgres')
  mkdirSync(folder, { mode: 0o700, recursive: true })
  const socketPath = join(dataDir, 'postgres.socket')
  rmSync(socketPath, { force: true })
  const worker = new Worker(workerEntry(), { workerData: { folder, socketPath, durable } })
  await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  return {
    socketPath,
    close: async () => {
      const ended = new Promise((resolve) => worker.once('exit', resolve))
      worker.postMessage('stop')
      await ended
      await release()
    },
  }
}
