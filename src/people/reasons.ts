import type { Clashes } from '../db/clashes.ts'
import { type UniqueGroupField, type UniqueUserField, uniqueFields } from '../db/tables/fields.ts'
import { type Reason, reasonsOf } from '../failures/reason-table.ts'

/** Why a change of people and groups is refused. */
export const reasons = reasonsOf('people', {
  username_taken: { kind: 'conflict', text: 'is already taken' },
  mail_taken: { kind: 'conflict', text: 'is already taken' },
  mobile_taken: { kind: 'conflict', text: 'is already taken' },
  job_number_taken: { kind: 'conflict', text: 'is already taken' },
  source_taken: { kind: 'conflict', text: 'is already taken' },
  group_name_taken: { kind: 'conflict', text: 'is already taken' },
  group_name_reserved: { kind: 'conflict', text: 'is reserved for the layout of the directory' },
  cannot_delete_self: { kind: 'forbidden', text: 'you cannot delete yourself' },
  cannot_disable_self: { kind: 'forbidden', text: 'you cannot disable yourself' },
  needed_for_action: { kind: 'invalid', text: 'is required for {action}' },
  user_gone: { kind: 'unauthenticated', text: 'your user no longer exists' },
  password_changed: { kind: 'conflict', text: 'your password was just changed by another request' },
  user_disabled: { kind: 'conflict', text: 'this user is disabled' },
  user_without_mail: { kind: 'conflict', text: 'this user has no mail address' },
  attribute_not_found: { kind: 'not_found', text: 'attribute {id} does not exist' },
  attribute_taken: { kind: 'conflict', text: 'another attribute has this name' },
  attribute_reserved: { kind: 'conflict', text: 'is reserved: it belongs to a field or to the directory itself' },
  attribute_bounds: { kind: 'invalid', text: 'is not a possible bound for this type' },
  attribute_limit: { kind: 'conflict', text: 'there can be at most {limit} attributes' },
  attribute_unknown: { kind: 'invalid', text: 'no such attribute' },
  attribute_fixed: { kind: 'forbidden', text: 'you may not change this attribute' },
  ldap_attribute_taken: { kind: 'conflict', text: 'another attribute is shown in it' },
  ldap_unfit: { kind: 'invalid', text: 'the directory cannot show the attribute there: {problem}' },
  value_characters: { kind: 'invalid', text: 'must not contain control characters' },
  value_not_ascii: { kind: 'invalid', text: 'has characters that its attribute in the directory does not accept' },
  value_not_boolean: { kind: 'invalid', text: 'must be true or false' },
  value_not_date: { kind: 'invalid', text: 'must be a date, such as 2026-11-23' },
  value_not_integer: { kind: 'invalid', text: 'must be a whole number' },
  value_single: { kind: 'invalid', text: 'can have one value only' },
  value_too_large: { kind: 'invalid', text: 'must be at most {limit}' },
  value_too_long: { kind: 'invalid', text: 'must have at most {limit} characters' },
  value_too_many: { kind: 'invalid', text: 'can have at most {limit} values' },
  value_too_short: { kind: 'invalid', text: 'must have at least {limit} characters' },
  value_too_small: { kind: 'invalid', text: 'must be at least {limit}' },
  posix_off: { kind: 'not_found', text: 'there are no POSIX accounts here: POSIX_ACCOUNTS is off' },
  posix_number_kept: { kind: 'conflict', text: 'it has the number {number}, which stays for ever' },
  posix_number_reserved: { kind: 'invalid', text: 'belongs to the system: take another number' },
  posix_number_taken: { kind: 'conflict', text: 'another person or group has or had this number' },
  ssh_key_broken: { kind: 'invalid', text: 'is not a complete public key: copy the whole line of the .pub file' },
  ssh_key_private: {
    kind: 'invalid',
    text: 'is a private key, which has to stay secret: send the line of the .pub file',
  },
  ssh_key_options: { kind: 'invalid', text: 'must be a key without options before it' },
  ssh_key_type: { kind: 'invalid', text: 'must be an ed25519, ecdsa or rsa key as OpenSSH writes it' },
  ssh_key_short: { kind: 'invalid', text: 'is too weak: an rsa key needs 2048 bits' },
  ssh_key_known: { kind: 'conflict', text: 'this key is already there' },
  ssh_key_not_found: { kind: 'not_found', text: 'this key does not exist' },
  ssh_key_limit: { kind: 'conflict', text: 'there can be at most {limit} keys' },
  mail_proof_used: { kind: 'conflict', text: 'the code was just used by another request' },
})

type Taken<Field extends string> = Readonly<Record<Field, Reason<'is already taken'>>>

/** By index: the conflict that names its field. */
const clashesOf = <Field extends string>(taken: Taken<Field>): Clashes => {
  const reasonOf = new Map(Object.entries<Taken<Field>[Field]>(taken))
  return Object.fromEntries(
    Object.entries(uniqueFields).flatMap(([index, field]) => {
      const reason = reasonOf.get(field)
      return reason === undefined ? [] : [[index, () => reason.at(field)]]
    }),
  )
}

export const userClashes: Clashes = {
  ...clashesOf<UniqueUserField>({
    username: reasons.username_taken,
    mail: reasons.mail_taken,
    mobile: reasons.mobile_taken,
    jobNumber: reasons.job_number_taken,
  }),
  users_source_key: () => reasons.source_taken.at('source'),
}

export const groupClashes: Clashes = clashesOf<UniqueGroupField>({ groupName: reasons.group_name_taken })

export const attributeClashes: Clashes = {
  declared_attributes_name_key: () => reasons.attribute_taken.at('name'),
  declared_attributes_ldap_key: () => reasons.ldap_attribute_taken.at('ldapAttribute'),
}
