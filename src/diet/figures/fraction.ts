/** An exact number, 0 or more, in lowest terms. Amounts such as 1/3 have no exact decimal, and sums of floats depend on their order. */
export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

const greatestCommonDivisor = (a: bigint, b: bigint): bigint => {
  let [larger, smaller] = [a, b]
  while (smaller > 0n) [larger, smaller] = [smaller, larger % smaller]
  return larger
}

/** @param denominator more than 0 */
export const fraction = (numerator: bigint, denominator = 1n): Fraction => {
  const divisor = greatestCommonDivisor(numerator, denominator)
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}

export const zero = fraction(0n)

/** A decimal without sign and exponent: `12.50`. */
export const decimal = (text: string): Fraction => {
  const [whole = '', digits = ''] = text.split('.')
  return fraction(BigInt(`${whole}${digits}`), 10n ** BigInt(digits.length))
}

export const plus = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)

export const times = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.numerator * b.numerator, a.denominator * b.denominator)

export const isAtMost = (a: Fraction, limit: number): boolean => a.numerator <= BigInt(limit) * a.denominator

/** To a whole number, half up. */
export const rounded = ({ numerator, denominator }: Fraction): number =>
  Number((2n * numerator + denominator) / (2n * denominator))
