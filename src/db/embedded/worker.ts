import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

const { folder, socketPath } = workerData as { folder: string; socketPath: string; durable: boolean }
rmSync(join(folder, 'postmaster.pid'), { force: true })
const db = await PGlite.create(folder, { extensions: { pg_trgm } })
const server = new PGLiteSocketServer({ db, path: socketPath, maxConnections: 16 })
await server.start()
parentPort?.on('message', async () => {
  await server.stop()
  await db.close()
  process.exit(0)
})
parentPort?.postMessage('ready')
