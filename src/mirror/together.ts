import { errorRecord, type Logger } from '../runtime/log.ts'
import type { Reconciler } from './reconciler.ts'

/**
 * The reconcilers of all directories as one. What a record's state is, what a request waits for and what a run reports
 * is that of the main directory. The others follow by themselves: one that is down slows neither the main one nor
 * another.
 */
export const together = (main: Reconciler, others: readonly Reconciler[], log: Logger): Reconciler => {
  if (others.length === 0) return main
  const aside = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => log.warn({ error: errorRecord(error) }, 'a further directory was not compared'))
  }
  return {
    async settle(...change) {
      for (const each of others) each.wake()
      return main.settle(...change)
    },
    earlyClaim: main.earlyClaim,
    synchronize(kind, which, progress) {
      for (const each of others) aside(each.synchronize(kind, which))
      return main.synchronize(kind, which, progress)
    },
    foresee: main.foresee,
    compareEverything() {
      for (const each of others) aside(each.compareEverything())
      return main.compareEverything()
    },
    verifies: main.verifies,
    async passwordUsed(userId, value) {
      await Promise.all([main, ...others].map((each) => each.passwordUsed(userId, value)))
    },
    schema: main.schema,
    services: main.services,
    wake() {
      for (const each of [main, ...others]) each.wake()
    },
    start() {
      for (const each of [main, ...others]) each.start()
    },
    async stop() {
      await Promise.all([main, ...others].map((each) => each.stop()))
    },
  }
}
