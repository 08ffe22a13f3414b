import { calls, type OperationId } from '../generated/calls.ts'
import { type DocumentName, operationFacts, type Tag } from '../generated/operations.ts'
import { operations as english } from '../locales/en/operations.ts'
import type { OperationTexts } from '../locales/operations.ts'
import { operations as chinese } from '../locales/zh-CN/operations.ts'
import { type Language, useLanguage } from './language.tsx'

const textsOf: Readonly<Record<Language, OperationTexts>> = { en: english, 'zh-CN': chinese }

/** What a language calls documents, tags and operations. */
export const operationTextsIn = (language: Language): OperationTexts => textsOf[language]

/** What the chosen language calls documents, tags and operations. */
export const useOperationTexts = (): OperationTexts => operationTextsIn(useLanguage().language)

/** What an operation does, in a few words. */
export const operationName = (texts: OperationTexts, id: OperationId): string =>
  texts.names?.[id] ?? operationFacts[id].summary

/** What an API entry names. */
interface Named {
  method: string
  /** Relative to `/api`. */
  path: string
}

const isOperation = (id: string): id is OperationId => id in calls

const byAddress = new Map<string, OperationId>(
  Object.entries(calls).flatMap(([id, { method, url }]) =>
    isOperation(id) ? [[`${method} ${url.slice('/api'.length)}`, id]] : [],
  ),
)

/** The service's operation that an API entry stands for; undefined for an entry that was added by hand. */
export const operationOf = ({ method, path }: Named): OperationId | undefined => byAddress.get(`${method} ${path}`)

export interface Described {
  document: DocumentName
  tag: Tag
  /** Callable without a role that grants it. */
  open: boolean
}

/** Where an operation stands in the documents. */
export const factsOf = (id: OperationId): Described => {
  const { document, tag, ...rest } = operationFacts[id]
  return { document, tag, open: 'open' in rest }
}

/** As long as an API entry's description can be. */
const longest = 100

/** What an API entry is for, in the chosen language: an administrator's own words, else the operation's. */
export const describe = (texts: OperationTexts, entry: Named & { remark: string }): string => {
  const id = operationOf(entry)
  if (id === undefined) return entry.remark
  const { summary } = operationFacts[id]
  const isOwn = entry.remark !== '' && entry.remark !== [...summary].slice(0, longest).join('')
  return isOwn ? entry.remark : operationName(texts, id)
}
