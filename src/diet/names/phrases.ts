const longestPhrase = 6

/** Chinese is written without spaces: any run of its characters may be a word. No name of a food is longer. */
const longestRun = 12

/**
 * Every part of a name that could be a name by itself: of `braised soy sauce` also `soy sauce` and `soy`, of `蒜蓉虾仁`
 * also `虾`. `nut` is not a part of `coconut`.
 * @param key by `singularKey`
 */
export function* phrasesIn(key: string): Generator<string, void, undefined> {
  yield* runs(key.match(/[\p{L}\p{N}]+/gu) ?? [], longestPhrase, ' ')
  for (const text of key.match(/\p{Script=Han}+/gu) ?? []) yield* runs([...text], longestRun, '')
}

function* runs(parts: readonly string[], longest: number, between: string): Generator<string, void, undefined> {
  for (const start of parts.keys()) {
    let run = ''
    for (const part of parts.slice(start, start + longest)) {
      run = run === '' ? part : `${run}${between}${part}`
      yield run
    }
  }
}
