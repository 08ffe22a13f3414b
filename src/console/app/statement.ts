import { sentence } from './failures.ts'
import { useLanguage } from './language.tsx'
import { usePageTexts } from './page-texts.ts'
import { type Say, sayBy } from './said.ts'

/** Why an entry is not equal to its record, or does not show all of it; undefined: nothing is to be said. */
export const useSyncText = (): ((sync: { reason: string | null; stated: unknown }) => string | undefined) => {
  const say = useStatementText()
  return ({ reason, stated }) => (reason === null ? undefined : sentence(say(stated, reason)))
}

/**
 * Says statements in the chosen language. `text` is what the service says itself: of a statement that has no translation, and in
 * the reports of earlier versions, which have texts alone.
 */
export const useStatementText = (): Say => {
  const { reasons } = useLanguage()
  const { statements } = usePageTexts('statements')
  return sayBy({ ...reasons, ...statements })
}
