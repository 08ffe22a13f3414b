import { reasonsOf } from '../failures/reason-table.ts'

/** Why a text cannot be what it is sent for, whichever field it is in. */
export const reasons = reasonsOf('text', {
  control_characters: { kind: 'invalid', text: 'must not contain control characters' },
  control_characters_but_lines: {
    kind: 'invalid',
    text: 'must not contain control characters other than line breaks and tabs',
  },
  nothing_visible: { kind: 'invalid', text: 'must contain a visible character' },
  no_name: { kind: 'invalid', text: 'must contain a visible character, and no control characters' },
  no_text: { kind: 'invalid', text: 'must be empty, or contain a visible character and no control characters' },
  no_mail_address: {
    kind: 'invalid',
    text: 'must be a mail address in ASCII: one @ with something on both sides, no spaces, no dot at the end, and none of " ( ) , : ; < > [ \\ ]',
  },
  no_mobile: { kind: 'invalid', text: "must contain only letters, digits, spaces and ' ( ) + , - . / : = ?" },
  no_date: { kind: 'invalid', text: 'must be a date such as 2026-01-31' },
  no_time_of_day: { kind: 'invalid', text: 'must be a time of the day such as 08:30' },
  nul: { kind: 'invalid', text: 'must not contain the NUL character' },
  surrogate: { kind: 'invalid', text: 'must not contain half of a surrogate pair' },
  password_length: { kind: 'invalid', text: 'must have 8 to 128 characters' },
  password_common: { kind: 'invalid', text: 'is one of the most common passwords: choose another' },
  password_known_name: {
    kind: 'invalid',
    text: 'is too similar to the username or another known name: choose another',
  },
})
