/** RFC 4518 section 2.2: characters that do not take part in a comparison. */
const mappedToNothing =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what the rule is about
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single code points are meant, not what they combine to
  /[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u06dd\u070f\u1806\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2063\u206a-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffc\u{1d173}-\u{1d17a}\u{e0001}\u{e0020}-\u{e007f}]/gu

/** RFC 4518 sections 2.2 and 2.6.1: what counts as space, and a run of it as one. */
const spaces = /[\s\x85]+/gu

/** Only case needs folding; Chinese characters of the main block have no variants. */
const plain = /^[!-~\u4e00-\u9fff]+(?: [!-~\u4e00-\u9fff]+)*$/

/**
 * More combining marks in a row than any language uses (UAX #15 section 13 allows 30). Sorting them takes time that
 * grows with the square of their number: 6 s for 250 KB.
 */
const endlessMarks = /[\p{M}\uff9e\uff9f]{31}/u

/** The text with compatibility forms folded (NFKC); unchanged if it has more marks in a row than any language uses. */
export const compatibleForm = (text: string): string => (endlessMarks.test(text) ? text : text.normalize('NFKC'))

/** Folded as by `matchingKey`, with spaces at the ends: for a part of a value, whose other part may begin with one. */
export const matchingPart = (part: string): string =>
  plain.test(part)
    ? part.toLowerCase()
    : compatibleForm(
        compatibleForm(part.replace(mappedToNothing, ''))
          .toLowerCase()
          .replace(/i\u0307+/g, 'i')
          .replaceAll('ς', 'σ'),
      ).replace(spaces, ' ')

/**
 * A value as the directory's caseIgnoreMatch compares it (RFC 4518): two names with the same key are the same name.
 * Compatibility forms and case are folded, spaces at the ends dropped and runs of them reduced to one. Where servers
 * fold differently (final sigma, dotted I, control characters) the key folds more: it may join names that one server
 * keeps apart, but it does not keep apart what a server joins.
 */
export const matchingKey = (value: string): string => matchingPart(value).trim()
