import { use, useMemo } from 'react'
import type { Area, AreaTexts, PageTexts } from '../locales/en/areas.ts'
import { isolating } from './isolated.ts'
import { type Language, useLanguage } from './language.tsx'
import type { TextTable } from './translate.ts'

type Loaders = { readonly [Each in Area]: Readonly<Record<Language, () => Promise<AreaTexts[Each]>>> }

const loaders: Loaders = {
  home: {
    en: async () => (await import('../locales/en/daily.ts')).home,
    'zh-CN': async () => (await import('../locales/zh-CN/daily.ts')).home,
  },
  hosts: {
    en: async () => (await import('../locales/en/daily.ts')).hosts,
    'zh-CN': async () => (await import('../locales/zh-CN/daily.ts')).hosts,
  },
  attributes: {
    en: async () => (await import('../locales/en/daily.ts')).attributes,
    'zh-CN': async () => (await import('../locales/zh-CN/daily.ts')).attributes,
  },
  people: {
    en: async () => (await import('../locales/en/daily.ts')).people,
    'zh-CN': async () => (await import('../locales/zh-CN/daily.ts')).people,
  },
  permissions: {
    en: async () => (await import('../locales/en/daily.ts')).permissions,
    'zh-CN': async () => (await import('../locales/zh-CN/daily.ts')).permissions,
  },
  log: {
    en: async () => (await import('../locales/en/daily.ts')).log,
    'zh-CN': async () => (await import('../locales/zh-CN/daily.ts')).log,
  },
  diet: {
    en: async () => (await import('../locales/en/upkeep.ts')).diet,
    'zh-CN': async () => (await import('../locales/zh-CN/upkeep.ts')).diet,
  },
  me: {
    en: async () => (await import('../locales/en/daily.ts')).me,
    'zh-CN': async () => (await import('../locales/zh-CN/daily.ts')).me,
  },
  security: {
    en: async () => (await import('../locales/en/upkeep.ts')).security,
    'zh-CN': async () => (await import('../locales/zh-CN/upkeep.ts')).security,
  },
  runs: {
    en: async () => (await import('../locales/en/upkeep.ts')).runs,
    'zh-CN': async () => (await import('../locales/zh-CN/upkeep.ts')).runs,
  },
  sources: {
    en: async () => (await import('../locales/en/upkeep.ts')).sources,
    'zh-CN': async () => (await import('../locales/zh-CN/upkeep.ts')).sources,
  },
  directory: {
    en: async () => (await import('../locales/en/upkeep.ts')).directory,
    'zh-CN': async () => (await import('../locales/zh-CN/upkeep.ts')).directory,
  },
  statements: {
    en: async () => (await import('../locales/en/upkeep.ts')).statements,
    'zh-CN': async () => (await import('../locales/zh-CN/upkeep.ts')).statements,
  },
  backups: {
    en: async () => (await import('../locales/en/upkeep.ts')).backups,
    'zh-CN': async () => (await import('../locales/zh-CN/upkeep.ts')).backups,
  },
}

const loaded = new Map<string, Promise<unknown>>()

const statements = new Map<Language, TextTable>()

/** The texts of statements; empty until they are loaded. */
export const statementsIn = (language: Language): TextTable => statements.get(language) ?? {}

const areaTexts = <Each extends Area>(language: Language, area: Each): Promise<AreaTexts[Each]> => {
  const key = `${language} ${area}`
  const known = loaded.get(key)
  if (known !== undefined) return known as Promise<AreaTexts[Each]>
  const loading = loaders[area][language]().then(isolating)
  loaded.set(key, loading)
  if (area === 'statements') void loading.then((texts) => statements.set(language, texts as TextTable)).catch(() => {})
  // A line that dropped is tried again at the next look.
  loading.catch(() => loaded.delete(key))
  return loading
}

/** Loads the texts of statements, for what is said outside of a page. */
export const loadStatements = async (language: Language): Promise<void> => {
  // Without them the server's own text is shown.
  await areaTexts(language, 'statements').catch(() => {})
}

/** Begins to load texts that will be needed, so that nothing waits for them. */
export const preloadTexts = (language: Language, areas: readonly Area[]): void => {
  for (const area of areas) areaTexts(language, area).catch(() => {})
}

/** The texts of a page behind the sign-in, in the chosen language. Suspends until those of these areas are loaded. */
export const usePageTexts = <const Areas extends readonly Area[]>(...areas: Areas): PageTexts<Areas[number]> => {
  const { language, texts } = useLanguage()
  const found = areas.map((area) => use(areaTexts(language, area)))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same areas in every call, and each text is a constant
  return useMemo(
    () => ({ ...texts, ...Object.fromEntries(areas.map((area, at) => [area, found[at]])) }) as PageTexts<Areas[number]>,
    [texts, ...found],
  )
}
