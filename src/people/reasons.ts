import type { Clashes } from '../db/clashes.ts'
import { reasonsOf } from '../reason-table.ts'

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
  mail_proof_used: { kind: 'conflict', text: 'the code was just used by another request' },
})

export const userClashes: Clashes = {
  users_username_key: () => reasons.username_taken.at('username'),
  users_mail_key: () => reasons.mail_taken.at('mail'),
  users_mobile_key: () => reasons.mobile_taken.at('mobile'),
  users_job_number_key: () => reasons.job_number_taken.at('jobNumber'),
  users_source_key: () => reasons.source_taken.at('source'),
}

export const groupClashes: Clashes = { groups_name_key: () => reasons.group_name_taken.at('groupName') }
