import addressesOf from 'nodemailer/lib/addressparser'

/** RFC 5321 section 4.1.2, without angle brackets between quotation marks: there a mark that is not closed leaves the rest. */
const form = /^(?:[^\s@<>()",;:[\]\\]+|"(?:[^"\\<>]|\\[^<>])+")@(?:[^\s@<>()",;:[\]\\]+|\[[\da-z.:]+\])$/iu

/**
 * Whether the program that writes the mails finds one address with a domain in it, which may be `localhost`, and perhaps a name. Of
 * anything else the mail server gets a message without a sender, which it refuses or takes for a bounce.
 */
export const isSender = (value: string): boolean => {
  const [one, ...others] = addressesOf(value)
  if (one?.address === undefined || others.length > 0 || /\p{Cc}/u.test(value)) return false
  // It takes a second address between angle brackets for a part of the name.
  if (value.replaceAll(/"(?:[^"\\]|\\.)*"/gu, '').split('<').length > 2) return false
  return one.name.length <= 200 && one.address.length <= 254 && form.test(one.address)
}
