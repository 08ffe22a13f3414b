import { createContext, type ReactNode, startTransition, use, useCallback, useEffect, useMemo, useState } from 'react'
import type { Texts } from '../locales/en.ts'
import type { ReasonTexts } from '../locales/reasons.ts'
import { isolating } from './isolated.ts'

export const languages = ['en', 'zh-CN'] as const
export type Language = (typeof languages)[number]

export interface Locale {
  language: Language
  texts: Texts
  /** The failures in this language; null: as the service says them. */
  reasons: ReasonTexts | null
}

const loaders: Readonly<Record<Language, () => Promise<Locale>>> = {
  en: async () => ({ language: 'en', texts: isolating((await import('../locales/en.ts')).en), reasons: null }),
  'zh-CN': async () => {
    const { zhCN, reasons } = await import('../locales/zh-CN.ts')
    return { language: 'zh-CN', texts: isolating(zhCN), reasons }
  },
}

export const loadLocale = (language: Language): Promise<Locale> => loaders[language]()

const key = 'steward.language'

/** What was chosen in this browser, else what the browser prefers. */
export const preferredLanguage = (): Language => {
  const chosen = localStorage.getItem(key)
  if (isLanguage(chosen)) return chosen
  return navigator.languages.some((each) => each.toLowerCase().startsWith('en'))
    ? firstOf(navigator.languages)
    : navigator.language.toLowerCase().startsWith('zh')
      ? 'zh-CN'
      : 'en'
}

const firstOf = (preferred: readonly string[]): Language => {
  const known = preferred.find((each) => /^(en|zh)\b/i.test(each))
  return known?.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en'
}

export const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value)

/** The language that the page is in now. */
export const languageOfPage = (): Language =>
  isLanguage(document.documentElement.lang) ? document.documentElement.lang : 'en'

interface LanguageChoice extends Locale {
  choose(language: Language): Promise<void>
}

const LanguageContext = createContext<LanguageChoice | null>(null)

export const LanguageProvider = ({ initial, children }: { initial: Locale; children: ReactNode }) => {
  const [locale, setLocale] = useState(initial)
  const choose = useCallback(async (language: Language) => {
    localStorage.setItem(key, language)
    document.documentElement.lang = language
    const locale = await loadLocale(language)
    // The page stays in the language before until all its texts are loaded.
    startTransition(() => setLocale(locale))
  }, [])
  // Other tabs follow, as they do with the colours.
  useEffect(() => {
    const heard = (event: StorageEvent): void => {
      if (event.key === key && isLanguage(event.newValue)) void choose(event.newValue)
    }
    window.addEventListener('storage', heard)
    return () => window.removeEventListener('storage', heard)
  }, [choose])
  const value = useMemo(() => ({ ...locale, choose }), [locale, choose])
  return <LanguageContext value={value}>{children}</LanguageContext>
}

export const useLanguage = (): LanguageChoice => {
  const choice = use(LanguageContext)
  if (choice === null) throw new Error('outside of the LanguageProvider')
  return choice
}

/** The texts of the chosen language. */
export const useTexts = (): Texts => useLanguage().texts
