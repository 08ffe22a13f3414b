/** Control characters, and those that turn the direction of what follows. */
const unprintable = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** A text from elsewhere on one line of a terminal, which must not take orders from it. */
export const printable = (text: string): string => text.replace(unprintable, ' ').trim()
