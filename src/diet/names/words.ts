import { nameKey } from './food-names.ts'

/** What forms send where nothing is to be said. */
const nothing = new Set(['none', 'nothing', 'no', 'n/a', 'nil', '-', '无', '没有', '暂无'])

/** The words of a text that a person typed: `peanuts, milk` and `花生、牛奶` are two. */
export const wordsIn = (text: string): string[] =>
  text
    .split(/[,，、;；\n]| and | or |以及/i)
    .map((word) => word.trim())
    .filter((word) => /[\p{L}\p{N}]/u.test(word) && !nothing.has(nameKey(word)))
