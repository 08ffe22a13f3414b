import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { filled, paramsSaid } from '../../app/said.ts'
import { useStatementText } from '../../app/statement.ts'

export type Alert = Data<'searchAlerts'>['alerts'][number]

type Words = Pick<Alert, 'rule' | 'params' | 'title' | 'description'>

/** What an alert says, in the chosen language where that has words for its rule. */
export const useAlertTexts = () => {
  const { titles, texts } = usePageTexts('security').security.alerts
  const say = useStatementText()
  const own = (words: Readonly<Record<string, string>>, { rule, params }: Words): string | undefined => {
    const text = words[rule]
    return text === undefined ? undefined : filled(text, paramsSaid(params, say))
  }
  return {
    titleOf: (alert: Words): string => own(titles, alert) ?? alert.title,
    textOf: (alert: Words): string => own(texts, alert) ?? alert.description,
  }
}
