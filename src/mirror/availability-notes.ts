import type { DirectoryError } from '../ldap/directory.ts'
import { resultCodes } from '../ldap/result-code.ts'
import { errorRecord, type Logger } from '../runtime/log.ts'
import type { Availability } from './availability.ts'
import type { Ledger } from './ledger/ledger.ts'
import { statements } from './statements.ts'

interface NotesOptions {
  ledger: Pick<Ledger, 'explain' | 'explainSilence'>
  availability: Pick<Availability, 'lost' | 'reason'>
  log: Logger
}

/** The reasons that are shown for records that are not in the directory yet. */
export const openNotes = ({ ledger, availability, log }: NotesOptions) => {
  const note = (noting: Promise<void>): Promise<void> =>
    noting.catch((error: unknown) => log.warn({ error: errorRecord(error) }, 'the database did not take a note'))
  const explain = (): Promise<void> => note(ledger.explain(availability.reason() ?? statements.not_answered_yet()))
  return {
    explain,
    explainSilence: () => note(ledger.explainSilence(statements.not_answered_yet())),
    async lost(error: DirectoryError): Promise<void> {
      const what = error.code === resultCodes.unwillingToPerform ? 'takes no changes' : 'is out of reach'
      const isNews = availability.lost(error.stated)
      if (isNews) log.warn({ reason: error.message }, `the directory ${what}; changes are kept and follow`)
      await explain()
    },
  }
}
