import { Failure } from './api.ts'
import type { FieldProblem } from './field-problem.ts'
import { type Locale, useLanguage } from './language.tsx'
import { statementsIn } from './page-texts.ts'
import { hasStatements, translatedParams, translatorOf, withParams } from './translate.ts'

type Params = Readonly<Record<string, string>>

/** What is wrong with a field, in the chosen language. */
export const problemText = (locale: Locale, { reason, params: values, message }: FieldProblem): string => {
  const text = locale.reasons?.[reason]
  if (text === undefined) return message
  const params = paramsIn(locale, values)
  return params.item === undefined
    ? withParams(text, params)
    : locale.texts.named(params.item, withParams(text, params))
}

/** The texts of statements are there: a failure that needs them waits for them (see api.ts). */
const paramsIn = ({ language, reasons }: Locale, params: Params): Params =>
  hasStatements(params) ? translatedParams(params, translatorOf({ ...reasons, ...statementsIn(language) })) : params

/** Why a call failed, in the chosen language, as sentences; where the service says how long to wait, with that. */
export const failureText = (locale: Locale, error: unknown): string => {
  const text = reasonOf(locale, error)
  if (!(error instanceof Failure) || error.retryAfter === null) return text
  // The text of a reason that has the seconds says them itself.
  if ('seconds' in error.params) return text
  return [text, locale.texts.failures.waitSeconds(error.retryAfter)].join(locale.language === 'en' ? ' ' : '')
}

const reasonOf = (locale: Locale, error: unknown): string => {
  const { failures } = locale.texts
  if (!(error instanceof Failure)) return failures.unexpected
  if (error.reason === 'console.unreachable') return failures.unreachable
  if (error.reason === 'console.changed_meanwhile') return sentence(failures.conflict)
  if (error.reason === 'console.not_understood') return failures.notUnderstood(error.code)
  const [problem] = error.fields
  if (problem !== undefined) {
    const text = problemText(locale, problem)
    // The id in the address of a page is not a field that was filled in.
    if (problem.field === 'id') return sentence(text)
    // What is wrong often goes on after the name of the field: "Code is wrong".
    const goesOn = locale.language === 'en' && /^(is|has|must|may|does|cannot) /.test(text)
    const name = fieldName(locale, problem.field)
    return sentence(goesOn ? `${name} ${text}` : locale.texts.named(name, text))
  }
  const text = locale.reasons?.[error.reason]
  return sentence(text === undefined ? error.message : withParams(text, paramsIn(locale, error.params)))
}

/** `ingredients.7.amount` → what the form calls it, where it has a name for it. */
export const fieldName = ({ texts }: Locale, field: string): string => {
  const names: Readonly<Record<string, string>> = texts.fields
  return names[field] ?? names[field.split('.').at(-1) ?? ''] ?? field
}

/** A text of the service as a sentence of its own. */
export const sentence = (text: string): string => {
  const start = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?。！？]$/.test(start) ? start : /[\u3400-\u9fff]/.test(start) ? `${start}。` : `${start}.`
}

/** Says failures in the chosen language. */
export const useFailureText = (): ((error: unknown) => string) => {
  const locale = useLanguage()
  return (error) => failureText(locale, error)
}

/**
 * The text of a reason that a record or a preview gives by its code. Ours comes first: a record gives no more than the code, and
 * what the service says of a field needs the field's name before it.
 */
export const useReasonText = (): ((code: string, params?: Params, message?: string | null) => string) => {
  const { texts, reasons } = useLanguage()
  return (code, params = {}, message) => {
    const translated: Readonly<Record<string, string>> = reasons ?? {}
    const ours: Readonly<Record<string, string>> = texts.mayNot
    const text = ours[code] ?? translated[code] ?? message
    return text === undefined || text === null ? code : sentence(withParams(text, params))
  }
}
