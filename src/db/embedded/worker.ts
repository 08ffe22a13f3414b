import { rmSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { openCluster } from './cluster.ts'
import { endOnCrash } from './crash.ts'
import { separateSessions } from './session.ts'

/** The settings of the thread. It posts `ready`, and ends at any message. */
export interface WorkerSettings {
  folder: string
  socketPath: string
  durable: boolean
}

const { folder, socketPath, durable } = workerData as WorkerSettings
const cluster = await openCluster(folder, durable)

endOnCrash(cluster)
separateSessions(cluster)

rmSync(socketPath, { force: true })
// One client with one connection, and room for the next one while the old one is being closed.
const server = new PGLiteSocketServer({ db: cluster, path: socketPath, maxConnections: 4 })
await server.start()

parentPort?.once('message', async () => {
  await server.stop()
  await cluster.close()
  process.exit(0)
})
parentPort?.postMessage('ready')
