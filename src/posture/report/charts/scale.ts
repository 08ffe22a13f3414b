/** The smallest round number (1, 2 or 5 times a power of ten) of which `parts` reach a value; at least 1. */
export const stepFor = (value: number, parts: number): number => {
  const least = Math.max(1, value / parts)
  const power = 10 ** Math.floor(Math.log10(least))
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power
}

/** Two decimals are finer than any printer. */
export const round = (value: number): number => Math.round(value * 100) / 100

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `2025-03-05` as `5 Mar`. */
export const dayLabel = (day: string): string =>
  `${Number(day.slice(8, 10))} ${months[Number(day.slice(5, 7)) - 1] ?? ''}`
