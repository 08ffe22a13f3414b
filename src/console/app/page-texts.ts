import { use, useMemo } from 'react'
import type { Area, AreaTexts, PageTexts } from '../locales/en/areas.ts'
import { type Language, useLanguage } from './language.tsx'

type Loaders = { readonly [Each in Area]: Readonly<Record<Language, () => Promise<AreaTexts[Each]>>> }

const loaders: Loaders = {
  home: {
    en: async () => (await import('../locales/en/home.ts')).home,
    'zh-CN': async () => (await import('../locales/zh-CN/home.ts')).home,
  },
  people: {
    en: async () => (await import('../locales/en/people.ts')).people,
    'zh-CN': async () => (await import('../locales/zh-CN/people.ts')).people,
  },
  permissions: {
    en: async () => (await import('../locales/en/permissions.ts')).permissions,
    'zh-CN': async () => (await import('../locales/zh-CN/permissions.ts')).permissions,
  },
  log: {
    en: async () => (await import('../locales/en/log.ts')).log,
    'zh-CN': async () => (await import('../locales/zh-CN/log.ts')).log,
  },
  diet: {
    en: async () => (await import('../locales/en/diet.ts')).diet,
    'zh-CN': async () => (await import('../locales/zh-CN/diet.ts')).diet,
  },
  me: {
    en: async () => (await import('../locales/en/me.ts')).me,
    'zh-CN': async () => (await import('../locales/zh-CN/me.ts')).me,
  },
  security: {
    en: async () => (await import('../locales/en/security.ts')).security,
    'zh-CN': async () => (await import('../locales/zh-CN/security.ts')).security,
  },
  runs: {
    en: async () => (await import('../locales/en/runs.ts')).runs,
    'zh-CN': async () => (await import('../locales/zh-CN/runs.ts')).runs,
  },
  sources: {
    en: async () => (await import('../locales/en/sources.ts')).sources,
    'zh-CN': async () => (await import('../locales/zh-CN/sources.ts')).sources,
  },
  directory: {
    en: async () => (await import('../locales/en/directory.ts')).directory,
    'zh-CN': async () => (await import('../locales/zh-CN/directory.ts')).directory,
  },
  statements: {
    en: async () => (await import('../locales/en/statements.ts')).statements,
    'zh-CN': async () => (await import('../locales/zh-CN/statements.ts')).statements,
  },
  backups: {
    en: async () => (await import('../locales/en/backups.ts')).backups,
    'zh-CN': async () => (await import('../locales/zh-CN/backups.ts')).backups,
  },
}

const loaded = new Map<string, Promise<unknown>>()

const areaTexts = <Each extends Area>(language: Language, area: Each): Promise<AreaTexts[Each]> => {
  const key = `${language} ${area}`
  const known = loaded.get(key)
  if (known !== undefined) return known as Promise<AreaTexts[Each]>
  const loading = loaders[area][language]()
  loaded.set(key, loading)
  // A line that dropped is tried again at the next look.
  loading.catch(() => loaded.delete(key))
  return loading
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
