/** A part of a value: doubled quotes separate two quoted ones. One pattern for all parts would fail on long values. */
const piece = /"[^"]*"|[^",()]+/y

/**
 * The values of a record in PostgreSQL's notation, `(1,ann,"a, b",)`; null for an empty one.
 * @see https://www.postgresql.org/docs/current/rowtypes.html#ROWTYPES-IO-SYNTAX
 */
export const recordValues = (record: string): (string | null)[] => {
  const values: (string | null)[] = []
  let at = 0
  do {
    at += 1
    const begin = at
    for (piece.lastIndex = at; piece.test(record); ) at = piece.lastIndex
    values.push(unquoted(record.slice(begin, at)))
  } while (record[at] === ',')
  if (record[at] !== ')') throw new Error('This is not a record of PostgreSQL')
  return values
}

/** Quotes and backslashes within quotes are doubled. */
const unquoted = (text: string): string | null => {
  if (text === '') return null
  return text.startsWith('"') ? text.slice(1, -1).replace(/(["\\])\1/g, '$1') : text
}
