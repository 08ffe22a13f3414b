import type { Data } from '../../app/api.ts'
import { filled } from '../../app/failures.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useStatementText } from '../../app/statement.ts'

export type Alert = Data<'searchAlerts'>['alerts'][number]

type Words = Pick<Alert, 'rule' | 'params' | 'title' | 'description'>

/** What an alert says, in the chosen language where that has words for its rule. */
export const useAlertTexts = () => {
  const { titles, texts } = usePageTexts('security').security.alerts
  const say = useStatementText()
  const own = (words: Readonly<Record<string, string>>, { rule, params }: Words): string | undefined => {
    const text = words[rule]
    return text === undefined ? undefined : filled(text, translated(params, say))
  }
  return {
    titleOf: (alert: Words): string => own(titles, alert) ?? alert.title,
    textOf: (alert: Words): string => own(texts, alert) ?? alert.description,
  }
}

/** The values of an alert: those that are statements are there a second time as JSON, under `reason.0` and so on. */
const translated = (params: Alert['params'], say: ReturnType<typeof useStatementText>): Record<string, string> => {
  const values: Record<string, string> = { ...params }
  for (const name of Object.keys(params)) {
    const found = Object.keys(params).filter((key) => key.startsWith(`${name}.`))
    if (found.length > 0) values[name] = found.map((key) => said(params[key] ?? '', say)).join('；')
  }
  return values
}

const said = (json: string, say: ReturnType<typeof useStatementText>): string => {
  const stated: unknown = JSON.parse(json)
  return say(stated, typeof stated === 'object' && stated !== null && 'text' in stated ? String(stated.text) : '')
}
