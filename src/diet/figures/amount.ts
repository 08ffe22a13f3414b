import { decimal, type Fraction, fraction, isAtMost, plus, times } from './fraction.ts'

/** How much of an ingredient: `1/2个`. */
export interface Amount {
  quantity: Fraction
  unit: Unit
}

export type Unit = 'g' | 'kg' | 'ml' | 'L' | '个' | '只' | '份'

/** The largest plausible amount of each unit, and its other spellings, in lower case. */
const units: Readonly<Record<Unit, { most: number; spellings: readonly string[] }>> = {
  g: { most: 100_000, spellings: ['g', 'gram', 'grams', '克', '公克'] },
  kg: { most: 100, spellings: ['kg', 'kilogram', 'kilograms', '千克', '公斤', '㎏'] },
  ml: {
    most: 100_000,
    spellings: ['ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres', '毫升', '㎖'],
  },
  L: { most: 100, spellings: ['l', 'liter', 'liters', 'litre', 'litres', '升', '公升', 'ℓ'] },
  个: { most: 1000, spellings: ['个', '個', 'piece', 'pieces', 'pc', 'pcs'] },
  只: { most: 1000, spellings: ['只', '隻'] },
  份: { most: 1000, spellings: ['份', 'serving', 'servings', 'portion', 'portions'] },
}

const unitOf = new Map(
  Object.entries(units).flatMap(([unit, { spellings }]) => spellings.map((spelling) => [spelling, unit as Unit])),
)

const vulgarFractions: Readonly<Record<string, string>> = {
  ...{ '½': '1/2', '⅓': '1/3', '⅔': '2/3', '¼': '1/4', '¾': '3/4', '⅕': '1/5', '⅖': '2/5', '⅗': '3/5', '⅘': '4/5' },
  ...{ '⅙': '1/6', '⅚': '5/6', '⅛': '1/8', '⅜': '3/8', '⅝': '5/8', '⅞': '7/8' },
}

const number = String.raw`\d{1,6}(?:\.\d{1,6})?|(?:\d{1,4} +)?\d{1,3}/\d{1,2}|半`
const grammar = new RegExp(String.raw`^(${number}) *([^\d\s./]+)$`, 'u')

/**
 * Reads an amount: a number and a unit, in the spellings that the document lists.
 * @returns null for any other text, for zero, and for more than the unit's maximum
 */
export const parseAmount = (text: string): Amount | null => {
  const [, digits = '', spelling = ''] = grammar.exec(plainCharacters(text)) ?? []
  const unit = unitOf.get(spelling.toLowerCase())
  const quantity = unit === undefined ? null : parseNumber(digits)
  if (unit === undefined || quantity === null || quantity.numerator === 0n) return null
  return isAtMost(quantity, units[unit].most) ? { quantity, unit } : null
}

/** The amount as responses write it, in a form that can be read again: `0.5kg`, `1 1/3份`. */
export const amountText = ({ quantity, unit }: Amount): string => `${numberText(quantity)}${unit}`

/** So many times an amount. */
export const scaled = ({ quantity, unit }: Amount, by: Fraction): Amount => ({ quantity: times(quantity, by), unit })

/** Full-width forms as ASCII. Unicode's own compatibility forms would make `10²` 102, and `1½` eleven halves. */
const plainCharacters = (text: string): string =>
  text
    .replaceAll(/[\uff01-\uff5e]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replaceAll(/[\u3000\u00a0]/g, ' ')
    .replaceAll('\u2044', '/')
    .replaceAll(/[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]/g, (character) => ` ${vulgarFractions[character]}`)
    .trim()

const parseNumber = (text: string): Fraction | null => {
  if (text === '半') return fraction(1n, 2n)
  const [, whole = '0', numerator, denominator] = /^(?:(\d+) +)?(\d+)\/(\d+)$/.exec(text) ?? []
  if (numerator === undefined || denominator === undefined) return decimal(text)
  const isMixed = whole !== '0'
  if (/^0+$/.test(denominator) || (isMixed && Number(numerator) >= Number(denominator))) return null
  return plus(fraction(BigInt(whole)), fraction(BigInt(numerator), BigInt(denominator)))
}

const maxDecimals = 6

const numberText = ({ numerator, denominator }: Fraction): string => {
  const scale = 10n ** BigInt(maxDecimals)
  if ((numerator * scale) % denominator === 0n) {
    const digits = ((numerator * scale) / denominator).toString().padStart(maxDecimals + 1, '0')
    return `${digits.slice(0, -maxDecimals)}.${digits.slice(-maxDecimals)}`.replace(/\.?0+$/, '')
  }
  const whole = numerator / denominator
  return `${whole === 0n ? '' : `${whole} `}${numerator % denominator}/${denominator}`
}
