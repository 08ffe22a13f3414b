import type { ListedReason } from '../reasons/tables.ts'
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
