import type { Language } from '../../app/language.tsx'

/** An amount as the service keeps it, `2个`, in the chosen language. */
export const amountIn = (language: Language, amount: string): string =>
  language === 'en'
    ? amount.replace(/^([\d.]+)\s*个$/, (_, count) => `${count} ${count === '1' ? 'piece' : 'pieces'}`)
    : amount
