const longestPhrase = 6

/** Chinese is written without spaces: any run of its characters may be a word. No name of a food is longer. */
const longestRun = 12

/**
 * Everything in a name that could be a name by itself: of `braised soy sauce` also `soy sauce` and `soy`, of `蒜蓉虾仁` also `虾`.
 * `nut` is no part of `coconut`.
 * @param key by `singularKey`
 */
export const phrasesIn = (key: string): Set<string> => new Set([...wordRuns(key), ...characterRuns(key)])

const wordRuns = (key: string): string[] => {
  const words = key.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return runs(words, longestPhrase).map((run) => run.join(' '))
}

const characterRuns = (key: string): string[] =>
  (key.match(/\p{Script=Han}+/gu) ?? []).flatMap((text) => runs([...text], longestRun).map((run) => run.join('')))

const runs = <T>(list: readonly T[], longest: number): T[][] =>
  list.flatMap((_, start) =>
    Array.from({ length: Math.min(longest, list.length - start) }, (_, more) => list.slice(start, start + more + 1)),
  )
