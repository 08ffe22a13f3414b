import type { Reason } from '../failures/reason-table.ts'
import { reasons } from './reasons.ts'

/**
 * The patterns with which the documents restrict texts, and the messages for a text that breaks one. JavaScript reads
 * them alike with and without the flag `u`, so that they mean the same in generated clients. Half of a surrogate pair
 * cannot be expressed this way; it is refused for all texts alike (see text.ts).
 */
export const textPatterns = {
  /** One line. */
  line: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$',
  /** Line breaks and tabs as well. */
  lines: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$',
  /** One line with at least one visible character. */
  name: '^[^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$',
  /** Empty, or like `name`. */
  text: '^([^\\S\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*)?$',
  /** Empty, or one mail address: see isMailAddress. */
  mail: "^([!#-'*+\\--9=?A-Z^-~]+@[!#-'*+\\--9=?A-Z^-~]*[!#-'*+\\-/-9=?A-Z^-~])?$",
  /** Empty, or characters of a PrintableString (RFC 4517 section 3.2) and not only spaces. */
  mobile: "^( *['-)+-:=?A-Za-z][ '-)+-:=?A-Za-z]*)?$",
  /** Empty, or long enough for a new password. */
  firstPassword: '^(?:[\\s\\S]{8,})?$',
  date: '^[1-9]\\d{3}-\\d{2}-\\d{2}$',
  timeOfDay: '^([01]\\d|2[0-3]):[0-5]\\d$',
} as const

const refusals: Readonly<Record<keyof typeof textPatterns, Reason>> = {
  line: reasons.control_characters,
  lines: reasons.control_characters_but_lines,
  name: reasons.no_name,
  text: reasons.no_text,
  mail: reasons.no_mail_address,
  firstPassword: reasons.password_length,
  date: reasons.no_date,
  timeOfDay: reasons.no_time_of_day,
  mobile: reasons.no_mobile,
}

/** Why a text is refused that breaks this pattern; undefined: the pattern is not one of these. */
export const textRefusals: ReadonlyMap<string, Reason> = new Map(
  (Object.keys(textPatterns) as (keyof typeof textPatterns)[]).map((name) => [textPatterns[name], refusals[name]]),
)
