/** Letters that are written from the right, and marks that turn the direction. */
const turning =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Marks that force a direction on all that follows, and the ends of these. */
const forcing = /[\u202a-\u202e]/g
const isolates = /[\u2066-\u2069]/g

/** Whether each isolate ends within the text, and none that was begun before it. */
const isBalanced = (text: string): boolean => {
  let depth = 0
  for (const [mark] of text.matchAll(isolates)) {
    depth += mark === '\u2069' ? -1 : 1
    if (depth < 0) return false
  }
  return depth === 0
}

/**
 * A value for a place within a sentence: what it is written in turns nothing beside it. "Delete … and 3 groups" with an Arabic
 * name showed the number in the name, and with a name from a platform that has a mark for it, the rest from the right.
 */
export const isolated = (value: string): string => {
  if (!turning.test(value)) return value
  const plain = value.replaceAll(forcing, '')
  return `\u2068${isBalanced(plain) ? plain : plain.replaceAll(isolates, '')}\u2069`
}

const isolatedIn = (value: unknown): unknown => {
  if (typeof value === 'string') return isolated(value)
  return Array.isArray(value) ? value.map(isolatedIn) : value
}

/** Texts whose functions isolate what they are given. */
export const isolating = <T>(texts: T): T => {
  if (typeof texts === 'function') {
    return ((...values: unknown[]) => texts(...values.map(isolatedIn))) as T
  }
  if (typeof texts !== 'object' || texts === null || Array.isArray(texts)) return texts
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, isolating(text)])) as T
}
