import { reasonsOf } from '../failures/reason-table.ts'

/** Why the directory is not used, and why entries cannot be adopted or ignored. */
export const reasons = reasonsOf('mirror', {
  directory_unavailable: { kind: 'unavailable', text: '{problem}' },
  directory_silent: { kind: 'unavailable', text: 'the directory is not available: {problem}' },
  no_directory: {
    kind: 'conflict',
    text: 'no directory is configured: set LDAP_URL, or EMBEDDED_LDAP_PORT to a port',
  },
  names_or_filter: { kind: 'invalid', text: 'is not allowed with filter and hash' },
  filter_required: { kind: 'invalid', text: 'is required without dns' },
  hash_required: { kind: 'invalid', text: 'is required with filter: a preview returns it' },
  too_many_entries: { kind: 'conflict', text: 'more than {limit} entries match: narrow the filter' },
  dn_unreadable: { kind: 'invalid', text: 'is not a valid DN: {problem}' },
  entry_not_found: { kind: 'not_found', text: 'the entry does not exist in the directory' },
  entry_of_record: { kind: 'conflict', text: 'this entry belongs to a record' },
  not_adoptable: { kind: 'conflict', text: 'cannot be adopted: {problem}' },
  no_such_directory: { kind: 'not_found', text: 'there is no directory {number}' },
  layout_in_effect: { kind: 'conflict', text: 'the layout {layout} is in effect already' },
  layout_outdated: { kind: 'conflict', text: 'is not the hash of the present plan: request it again' },
  layout_held: { kind: 'conflict', text: 'the plan is held: {problem}. Confirm it with confirmed: true' },
  layout_blocked: { kind: 'conflict', text: 'the group {name} is in the way: {problem}' },
  preview_outdated: {
    kind: 'conflict',
    text: 'the entries have changed since the preview: request a new preview',
  },
  entry_found_meanwhile: {
    kind: 'conflict',
    text: 'an entry was written for one of the records since the preview: request a new preview',
  },
})
