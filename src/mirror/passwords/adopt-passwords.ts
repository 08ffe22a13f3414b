import { errorRecord, type Logger } from '../../runtime/log.ts'
import type { Outcome } from '../plan/outcome.ts'
import type { AdoptPassword } from '../reconciler.ts'

interface AdoptOptions {
  adopt: AdoptPassword | null
  adopted: () => void
  log: Logger
}

const namesLogged = 10
const earlierFound =
  'the directory had earlier passwords of these people, as after a restore of it: the present ones were written again'

/** One after the other: if one fails, the next comparison tries it again. */
export const adoptPasswords =
  ({ adopt, adopted, log }: AdoptOptions) =>
  async (outcomes: readonly Outcome[]): Promise<void> => {
    const setBack = outcomes.filter(({ hadFormerPassword }) => hadFormerPassword)
    if (setBack.length > 0) {
      const names = setBack.slice(0, namesLogged).map(({ name }) => name)
      log.warn({ total: setBack.length, names }, earlierFound)
    }
    for (const { id, adopt: password } of outcomes) {
      if (password === undefined || adopt === null) continue
      await adopt(id, password.value, password.instead).catch((error: unknown) =>
        log.error({ error: errorRecord(error), id }, 'a password of the directory was not adopted'),
      )
      adopted()
    }
  }
