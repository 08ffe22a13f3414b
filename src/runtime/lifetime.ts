import { errorRecord, type Logger } from './log.ts'

type Close = () => unknown

/** What has to be let go of when the service stops. */
export interface Lifetime {
  /** Has these called at the end, the last one first: what was opened later may need what was opened before. */
  atEnd(...closes: readonly Close[]): void
  /** Calls them, one after the other. What one of them throws is logged, and the others are called all the same. */
  end(): Promise<void>
}

export const openLifetime = (log: Logger): Lifetime => {
  const closers: Close[] = []
  return {
    atEnd: (...closes) => void closers.push(...closes),
    async end() {
      for (const close of closers.splice(0).reverse()) {
        try {
          await close()
        } catch (error) {
          log.error({ error: errorRecord(error) }, 'stopping left something undone')
        }
      }
    },
  }
}
