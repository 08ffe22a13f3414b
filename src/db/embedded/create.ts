import { createCluster } from './cluster.ts'

/** The settings of the process. */
export interface CreateSettings {
  /** It does not exist yet. */
  folder: string
  durable: boolean
}

// A process of its own: creating a cluster needs more memory than serving it, and a thread would not give it back.
process.once('message', async ({ folder, durable }: CreateSettings) => {
  try {
    await createCluster(folder, durable)
    process.exit(0)
  } catch (error) {
    console.error('The embedded database cannot be created:', error)
    process.exit(1)
  }
})
// The process that started it has ended.
process.once('disconnect', () => process.exit(1))
