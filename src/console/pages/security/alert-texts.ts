import type { Data } from '../../app/api.ts'
import { filled } from '../../app/failures.ts'
import { usePageTexts } from '../../app/page-texts.ts'

export type Alert = Data<'searchAlerts'>['alerts'][number]

type Words = Pick<Alert, 'rule' | 'params' | 'title' | 'description'>

/** What an alert says, in the chosen language where that has words for its rule. */
export const useAlertTexts = () => {
  const { titles, texts } = usePageTexts('security').security.alerts
  const own = (words: Readonly<Record<string, string>>, { rule, params }: Words): string | undefined => {
    const text = words[rule]
    return text === undefined ? undefined : filled(text, params)
  }
  return {
    titleOf: (alert: Words): string => own(titles, alert) ?? alert.title,
    textOf: (alert: Words): string => own(texts, alert) ?? alert.description,
  }
}
