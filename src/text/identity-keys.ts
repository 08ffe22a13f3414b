import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { matchingKey } from './matching-key.ts'
import { textPatterns } from './text-patterns.ts'

/**
 * The one rule by which two spellings are the same username, mail address or mobile. Uniqueness, sign-in, codes, rate
 * limits, imports and plans all compare these keys and nothing else. A second rule (SQL's `lower()`, which follows the
 * database's locale, beside JavaScript's `toLowerCase()`) would be a way around the stricter of the two.
 */

/** As the directory compares names: RFC 4518. Stored in `users.username_key`; SQL cannot compute it. */
export const usernameKey = matchingKey

const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const smallLetters = capitals.toLowerCase()

const mailAddress = new RegExp(textPatterns.mail, 'u')

/**
 * Whether mail can be sent to the address; addresses stored before this rule may have any form. Both sides of the `@`
 * consist of visible ASCII characters without the special ones of RFC 5322 section 3.2.3: such an address cannot end a
 * header, start a second address or name a group. The domain does not end with a dot, which would be a second spelling.
 */
export const isMailAddress = (mail: string): boolean => mail !== '' && mailAddress.test(mail)

/** Turns ASCII capitals into lower case and nothing else, whatever the locale: `mailKeyOf` is the same in SQL. */
export const mailKey = (mail: string): string => mail.replace(/[A-Z]/g, (capital) => capital.toLowerCase())

/** `mailKey` of an SQL expression. The index users_mail_key is over exactly this text. */
export const mailKeyOf = (mail: SQLWrapper): SQL<string> =>
  sql<string>`translate(${mail}, '${sql.raw(capitals)}', '${sql.raw(smallLetters)}')`

/** A mobile in one notation; empty where it contains no number to compare. Stored in `users.mobile_key`. */
export type MobileKey = (mobile: string) => string

/** A calling code's region as ISO 3166-1 names it, such as `CN`. */
export type Region = CountryCode

/** The region, ignoring case; undefined: the region does not exist. */
export const toRegion = (text: string): Region | undefined => {
  const region = text.toUpperCase()
  return isSupportedCountry(region) ? region : undefined
}

/**
 * A number of this region, or of the region of its `+` prefix, is compared as E.164, an extension included; any other
 * text by its digits alone. A number is recognized by its length: the patterns of assigned numbers (metadata `max`) lag
 * behind the operators, so that a new range would be a different number with and without its `+86`.
 */
export const mobileKeys =
  (region: Region): MobileKey =>
  (mobile) => {
    const digits = mobile.replace(/\D/g, '')
    if (digits === '') return ''
    return e164(mobile, region) ?? e164((/^\D*\+/.test(mobile) ? '+' : '') + digits, region) ?? digits
  }

const e164 = (text: string, defaultCountry: Region): string | null => {
  const number = parsePhoneNumberFromString(text, { defaultCountry, extract: false })
  if (!number?.isPossible()) return null
  return number.ext ? `${number.number};ext=${number.ext}` : number.number
}
