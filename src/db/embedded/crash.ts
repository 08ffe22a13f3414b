import type { PGlite } from '@electric-sql/pglite'

/** The exit status of PostgreSQL's main loop after an ordinary SQL error: PGlite's POSTGRES_MAIN_LONGJMP. */
const ordinaryError = 100

/**
 * Ends the thread when PostgreSQL panics (the log cannot be written, the disk is full) or traps. PGlite ignores what
 * its main loop throws and calls the loop again, for ever; pglite-socket's queue stops permanently at an exception
 * (electric-sql/pglite#1046). After a restart the cluster recovers from its log, as a server does.
 */
export const endOnCrash = (cluster: PGlite): void => {
  const runtime = cluster.Module
  const mainLoop = runtime._PostgresMainLoopOnce
  runtime._PostgresMainLoopOnce = () => {
    try {
      mainLoop()
    } catch (error) {
      if (statusOf(error) === ordinaryError) throw error
      end(error)
    }
  }
  const execute = cluster.execProtocolRawStream.bind(cluster)
  cluster.execProtocolRawStream = (message, options) => execute(message, options).catch(end)
}

const statusOf = (error: unknown): unknown => (error instanceof Object ? Reflect.get(error, 'status') : undefined)

const end = (error: unknown): never => {
  console.error('The embedded database failed', error)
  process.exit(1)
}
