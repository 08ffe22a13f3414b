import type { Language } from '../../app/language.tsx'

/** How the service counts, and what it reads as the same in English. */
const counted = { 个: ['piece', 'pieces'], 份: ['portion', 'portions'] } as const

/** An amount as the service keeps it, `2个`, in the chosen language. */
export const amountIn = (language: Language, amount: string): string =>
  language === 'en'
    ? amount.replace(/^([\d.]+)\s*([个份])$/, (_, count: string, unit: keyof typeof counted) => {
        const [one, more] = counted[unit]
        return `${count} ${count === '1' ? one : more}`
      })
    : amount
