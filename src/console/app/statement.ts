import { sentence } from './failures.ts'
import { useLanguage } from './language.tsx'
import { usePageTexts } from './page-texts.ts'
import { type Translate, translatorOf } from './translate.ts'

/** Why an entry is not equal to its record, or does not show all of it; undefined: nothing is to be said. */
export const useSyncText = (): ((sync: { reason: string | null; stated: unknown }) => string | undefined) => {
  const translate = useStatementText()
  return ({ reason, stated }) => (reason === null ? undefined : sentence(translate(stated, reason)))
}

/**
 * Says statements in the chosen language. `text` is what the service says itself: of a statement that has no translation, and in
 * the reports of earlier versions, which have texts alone.
 */
export const useStatementText = (): Translate => {
  const { reasons } = useLanguage()
  const { statements } = usePageTexts('statements')
  return translatorOf({ ...reasons, ...statements })
}
