import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useStatementText } from '../../app/statement.ts'
import { translatedParams, withParams } from '../../app/translate.ts'
import { slots } from '../../locales/slots.ts'

export type Alert = Data<'searchAlerts'>['alerts'][number]

type Words = Pick<Alert, 'rule' | 'params' | 'title' | 'description'>

/** What an alert says, in the chosen language where that has words for its rule. */
export const useAlertTexts = () => {
  const { titles, texts, comparison } = usePageTexts('security').security.alerts
  const say = useStatementText()
  const sources: Readonly<Record<string, string>> = { ...slots, sql: comparison }
  const own = (words: Readonly<Record<string, string>>, { rule, params }: Words): string | undefined => {
    const text = words[rule]
    if (text === undefined) return undefined
    const { source, ...others } = translatedParams(params, say)
    return withParams(text, source === undefined ? others : { ...others, source: sources[source] ?? source })
  }
  return {
    titleOf: (alert: Words): string => own(titles, alert) ?? alert.title,
    textOf: (alert: Words): string => own(texts, alert) ?? alert.description,
    /** Where it happened; of a run, the source. */
    placeOf: ({ location, params }: Pick<Alert, 'location' | 'params'>): string =>
      params.source === location ? (sources[location] ?? location) : location,
  }
}
