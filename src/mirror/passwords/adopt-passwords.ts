import { errorRecord, type Logger } from '../../runtime/log.ts'
import type { Outcome } from '../plan/outcome.ts'
import type { AdoptPassword } from '../reconciler.ts'

interface AdoptOptions {
  adopt: AdoptPassword | null
  adopted: () => void
  log: Logger
}

/** One after the other: if one fails, the next comparison tries it again. */
export const adoptPasswords =
  ({ adopt, adopted, log }: AdoptOptions) =>
  async (outcomes: readonly Outcome[]): Promise<void> => {
    for (const { id, adopt: password } of outcomes) {
      if (password === undefined || adopt === null) continue
      await adopt(id, password.value, password.instead).catch((error: unknown) =>
        log.error({ error: errorRecord(error), id }, 'a password of the directory was not adopted'),
      )
      adopted()
    }
  }
