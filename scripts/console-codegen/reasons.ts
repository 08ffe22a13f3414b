import type { ListedReason, ListedStatement } from '../reasons/tables.ts'
import { header } from './calls.ts'

const namesIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name))

/** The codes of all failures, and the names of the values in their texts. */
export const reasonsFile = (reasons: readonly ListedReason[]): string =>
  `${header}\n/** The codes of all failures, each with the names of its values. */\nexport interface ReasonValues {\n${reasons
    .map(({ code, text, one }) => {
      const names = [...new Set([...namesIn(text), ...namesIn(one ?? '')])]
      return `  '${code}': ${names.length === 0 ? 'never' : names.map((name) => `'${name}'`).join(' | ')}\n`
    })
    .join('')}}\n\nexport type ReasonCode = keyof ReasonValues\n`

/** The codes of all statements, and the names of the values in their texts. */
export const statementsFile = (statements: readonly ListedStatement[]): string =>
  `${header}\n/** The codes of all statements, each with the names of its values. */\nexport interface StatementValues {\n${statements
    .map(({ code, text }) => {
      const names = [...new Set(namesIn(text))]
      return `  '${code}': ${names.length === 0 ? 'never' : names.map((name) => `'${name}'`).join(' | ')}\n`
    })
    .join('')}}\n\nexport type StatementCode = keyof StatementValues\n`

/** The names of all rules of alerts. */
export const alertRulesFile = (rules: readonly string[]): string =>
  `${header}\n/** The rules that raise alerts. */\nexport type AlertRuleName =\n${rules.map((rule) => `  | '${rule}'\n`).join('')}`
