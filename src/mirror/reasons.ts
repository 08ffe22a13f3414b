import { reasonsOf } from '../reason-table.ts'

/** Why the directory is not used, and why entries cannot be adopted or ignored. */
export const reasons = reasonsOf('mirror', {
  directory_unavailable: { kind: 'unavailable', text: '{problem}' },
  directory_silent: { kind: 'unavailable', text: 'the directory cannot be asked: {problem}' },
  no_directory: {
    kind: 'conflict',
    text: 'no directory is configured: set LDAP_URL, or EMBEDDED_LDAP_PORT to a port',
  },
  names_or_filter: { kind: 'invalid', text: 'does not go with filter and hash: name either' },
  filter_required: { kind: 'invalid', text: 'is required unless dns is there' },
  hash_required: { kind: 'invalid', text: 'is required with a filter: take it from a preview' },
  too_many_entries: { kind: 'conflict', text: 'more than {limit} entries are meant: narrow the filter' },
  dn_unreadable: { kind: 'invalid', text: 'cannot be read: {problem}' },
  entry_not_found: { kind: 'not_found', text: 'the directory has no such entry' },
  entry_of_record: { kind: 'conflict', text: 'this entry is that of a record' },
  not_adoptable: { kind: 'conflict', text: 'cannot be adopted: {problem}' },
  preview_outdated: {
    kind: 'conflict',
    text: 'the entries are not those of the preview any more: look at a new one',
  },
  entry_found_meanwhile: {
    kind: 'conflict',
    text: 'a record has come to an entry of its own meanwhile: look again',
  },
})
