/**
 * The patterns by which the documents say what a text may hold, and what is said to whoever breaks one. They use nothing
 * that JavaScript reads differently with and without the flag `u`, so that they mean the same in generated clients. Half
 * of a surrogate pair cannot be said so; it is refused for all texts alike (see text.ts).
 */
export const textPatterns = {
  /** One line. */
  line: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$',
  /** Line breaks and tabs as well. */
  lines: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$',
  /** One line with something to see in it. */
  name: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
  /** Empty, or as `name`. */
  text: '^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$',
  /** Empty, or one mail address: see isMailAddress. */
  mail: "^([!#-'*+\\--9=?A-Z^-~]+@[!#-'*+\\--9=?A-Z^-~]*[!#-'*+\\-/-9=?A-Z^-~])?$",
  /** Empty, or characters of a PrintableString (RFC 4517 section 3.2) and not only spaces. */
  mobile: "^( *['-)+-:=?A-Za-z][ '-)+-:=?A-Za-z]*)?$",
  /** Empty, or of a new password's length. */
  firstPassword: '^(?:[\\s\\S]{8,})?$',
  date: '^[1-9]\\d{3}-\\d{2}-\\d{2}$',
  timeOfDay: '^([01]\\d|2[0-3]):[0-5]\\d$',
} as const

const sentences: Readonly<Record<keyof typeof textPatterns, string>> = {
  line: 'must not contain control characters',
  lines: 'must not contain control characters other than line breaks and tabs',
  name: 'must contain a visible character, and no control characters',
  text: 'must be empty, or contain a visible character and no control characters',
  mail: 'must be a mail address in ASCII: one @ with something on both sides, no spaces, no dot at the end, and none of " ( ) , : ; < > [ \\ ]',
  firstPassword: 'must have 8 to 128 characters',
  date: 'must be a date such as 2026-01-31',
  timeOfDay: 'must be a time of the day such as 08:30',
  mobile: "may contain letters, digits, spaces and ' ( ) + , - . / : = ? only",
}

/** What a text must be that breaks this pattern; undefined: the pattern is not one of these. */
export const textSentences: ReadonlyMap<string, string> = new Map(
  (Object.keys(textPatterns) as (keyof typeof textPatterns)[]).map((name) => [textPatterns[name], sentences[name]]),
)
