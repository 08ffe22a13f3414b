import { valueTexts } from '../failures/statement.ts'
import type { AlertLevel, AlertRule, AlertSubject } from './alert-rule.ts'
import { alertRules } from './alert-rules.ts'

type Rules = typeof alertRules

export type AlertRuleName = keyof Rules

/** Those that the service closes when what raised them is over. */
export type ClosingRuleName = {
  [Name in AlertRuleName]: Rules[Name]['closes'] extends null ? never : Name
}[AlertRuleName]

/** What a function of a rule takes; `unknown` where it takes nothing or is not there. */
type Taken<F> = F extends (parameters: infer P) => unknown ? P : unknown

/** What tells the alerts of a rule apart. */
export type CauseParameters<Name extends AlertRuleName> = Taken<Rules[Name]['cause']>

/** What a rule needs to know of what happened. */
export type AlertParameters<Name extends AlertRuleName> = CauseParameters<Name> &
  Taken<Rules[Name]['title']> &
  Taken<Rules[Name]['text']> &
  (Rules[Name] extends { about: infer About } ? Taken<About> : unknown)

declare const made: unique symbol

/** Something an administrator has to look at, made by `alertOf` alone. */
export interface Alert extends AlertSubject {
  readonly cause: string
  readonly rule: AlertRuleName
  /** What is known of the cause, as texts. */
  readonly params: Readonly<Record<string, string>>
  readonly title: string
  readonly description: string
  readonly level: AlertLevel
  readonly [made]: true
}

/** The alert that a rule makes of what happened, to be raised (raise-alerts.ts, alert-queue.ts). */
export const alertOf = <Name extends AlertRuleName>(name: Name, parameters: AlertParameters<Name>): Alert => {
  const rule: AlertRule = alertRules[name]
  // Which functions are called and what they take is the same rule's, which the compiler cannot follow.
  const taken = parameters as never
  const { cause, title, text, level, about } = rule
  const alert: Omit<Alert, typeof made> = {
    ...about?.(taken),
    cause: cause(taken),
    rule: name,
    params: valueTexts(parameters ?? {}),
    title: title(taken),
    description: text(taken),
    level,
  }
  return alert as Alert
}

/** The cause of the alert that a rule makes of what happened. */
export const causeOf = <Name extends AlertRuleName>(name: Name, parameters: CauseParameters<Name>): string => {
  const { cause }: AlertRule = alertRules[name]
  return cause(parameters as never)
}
