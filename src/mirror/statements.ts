import { statementsOf } from '../statement-table.ts'

/** What the reports of comparisons with the directory say. */
export const statements = statementsOf('mirror', {
  busy: 'another instance is writing it, or its parent group is not there yet',
  refused: '{problem}',
  orphan: 'the entry belongs to no record',
  follows: 'it follows by itself',
  follows_later: 'nothing is lost: the directory follows as soon as it is available again',
  let_read_all:
    'let the account of LDAP_BIND_DN read all below LDAP_BASE_DN, page by page (OpenLDAP: olcLimits, size=unlimited)',
  few_at_a_time: 'nothing is lost: a few are retried at a time, and all of them as soon as one is accepted',
  change_or_repair: 'change the record, or repair the directory and synchronize again',
  retried: 'it is retried by itself',
  add_or_delete: 'add the person or group, or delete the entry if it is not needed',
})
