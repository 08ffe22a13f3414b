import type { Clashes } from '../db/clashes.ts'
import { reasonsOf } from '../failures/reason-table.ts'

/** Why a service account cannot be what is asked for. */
export const reasons = reasonsOf('services', {
  account_not_found: { kind: 'not_found', text: 'service account {id} does not exist' },
  name_taken: { kind: 'conflict', text: 'is already taken' },
  account_limit: { kind: 'conflict', text: 'there can be at most {limit} service accounts' },
  filter_syntax: { kind: 'invalid', text: 'is not an LDAP filter: {problem}' },
  filter_attribute: { kind: 'invalid', text: "the directory's schema has no attribute {name}" },
  two_passwords: { kind: 'conflict', text: 'it has two passwords already: end the old one first' },
  no_old_password: { kind: 'conflict', text: 'it has no old password' },
  until_past: { kind: 'invalid', text: 'must be in the future' },
})

export const accountClashes: Clashes = { service_accounts_name_key: () => reasons.name_taken.at('name') }
