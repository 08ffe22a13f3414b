/**
 * How well names match a text: 0 one of them is the text, 1 the first begins with it, 2 another one does, 3 a word in
 * one does, 4 one contains it; null: none does. An empty text matches everything equally.
 * @param wanted by `nameKey`
 * @param keys the names by `nameKey`, the main one first
 */
export const matchOf = (wanted: string, keys: readonly string[]): number | null => {
  if (wanted === '' || keys.includes(wanted)) return 0
  const begins = keys.findIndex((key) => key.startsWith(wanted))
  if (begins >= 0) return begins === 0 ? 1 : 2
  if (keys.some((key) => key.includes(` ${wanted}`))) return 3
  return keys.some((key) => key.includes(wanted)) ? 4 : null
}
