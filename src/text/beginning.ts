/** The first characters of a text, at most so many UTF-16 units: a character that does not fit in whole is left out. */
export const beginning = (text: string, longest: number): string =>
  text.slice(0, longest).replace(/\p{Surrogate}$/u, '')
