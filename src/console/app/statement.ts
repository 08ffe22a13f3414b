import { filled, sentence } from './failures.ts'
import { useLanguage } from './language.tsx'
import { usePageTexts } from './page-texts.ts'

/** What a report says, as the service sends it. */
interface Statement {
  code: string
  params: Record<string, unknown>
  text: string
}

const isStatement = (value: unknown): value is Statement =>
  typeof value === 'object' && value !== null && 'code' in value && 'params' in value

/** Why an entry is not equal to its record, or does not show all of it; undefined: nothing is to be said. */
export const useSyncText = (): ((sync: { reason: string | null; stated: unknown }) => string | undefined) => {
  const say = useStatementText()
  return ({ reason, stated }) => (reason === null ? undefined : sentence(say(stated, reason)))
}

/**
 * Says statements in the chosen language. `text` is what the service says itself: of a statement that has no translation, and in
 * the reports of earlier versions, which have texts alone.
 */
export const useStatementText = (): ((stated: unknown, text: string) => string) => {
  const { reasons } = useLanguage()
  const { statements } = usePageTexts('statements')
  const translated: Readonly<Record<string, string>> = { ...reasons, ...statements }
  const plain = (name: string, value: string): string => (name === 'platform' ? (translated[value] ?? value) : value)
  const say = (stated: unknown, text: string): string => {
    const own = isStatement(stated) ? translated[stated.code] : undefined
    if (own === undefined || !isStatement(stated)) return text
    return filled(
      own,
      Object.fromEntries(
        Object.entries(stated.params).map(([name, value]) => [
          name,
          isStatement(value) ? say(value, value.text) : plain(name, String(value)),
        ]),
      ),
    )
  }
  return say
}
