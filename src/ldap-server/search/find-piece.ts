/** The product of the lengths above which the built-in search could take noticeably long in its worst case. */
const harmless = 65_536

/**
 * Where `piece` is first found in `text` from `from` on, or -1. Takes time proportional to the length of the text
 * (Knuth, Morris, Pratt), however long the piece is. The built-in search takes the product of the lengths in its worst
 * case, and a client chooses the piece.
 */
export const findPiece = (text: string, piece: string, from: number): number => {
  // Before anything is prepared for the piece: a client may look for a long one in many short texts.
  if (piece.length > text.length - from) return -1
  if (piece.length < 8 || piece.length * (text.length - from) <= harmless) return text.indexOf(piece, from)
  const borders = new Int32Array(piece.length)
  for (let at = 1, length = 0; at < piece.length; at += 1) {
    while (length > 0 && piece[at] !== piece[length]) length = borders[length - 1] ?? 0
    if (piece[at] === piece[length]) length += 1
    borders[at] = length
  }
  for (let at = from, matched = 0; at < text.length; at += 1) {
    while (matched > 0 && text[at] !== piece[matched]) matched = borders[matched - 1] ?? 0
    if (text[at] === piece[matched]) matched += 1
    if (matched === piece.length) return at - matched + 1
  }
  return -1
}
