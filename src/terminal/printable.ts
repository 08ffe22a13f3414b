/** Control characters, and those that change the direction of text. */
const unprintable = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** A text from elsewhere on one line of a terminal, without control sequences. */
export const printable = (text: string): string => text.replace(unprintable, ' ').trim()
