import type { Clashes } from '../db/clashes.ts'
import { reasonsOf } from '../failures/reason-table.ts'

/** Why operations of runs, sources and field relations fail. */
export const reasons = reasonsOf('sync', {
  run_not_found: { kind: 'not_found', text: 'run {id} does not exist' },
  run_not_held: { kind: 'conflict', text: 'run {id} is not held' },
  run_not_held_any_more: { kind: 'conflict', text: 'run {id} is no longer held' },
  other_plan: { kind: 'conflict', text: 'is not the hash of the held plan' },
  plan_outdated: {
    kind: 'conflict',
    text: 'the field relation {flag} was saved or deleted after run {id} had begun: start the run again',
  },
  plan_too_strong: { kind: 'forbidden', text: 'the rank of all people in this plan must be lower than yours' },
  run_failed: { kind: 'upstream', text: 'run {id} failed: {problem}' },
  scheduled_run_failed: { kind: 'upstream', text: 'run {id} ({kind}) failed: {problem}' },
  snapshot_lost: { kind: 'unavailable', text: 'the snapshot was lost in a crash of the database' },
  source_busy: { kind: 'conflict', text: '{source} is busy with run {id}: try again when it has ended' },
  source_taken: { kind: 'conflict', text: 'the source is busy with another run: try again when it has ended' },
  source_silent: { kind: 'upstream', text: 'the source did not respond within {seconds} s' },
  source_failed: { kind: 'upstream', text: '{problem}' },
  exta_not_configured: {
    kind: 'unavailable',
    text: 'ExtA is not configured: set EXTA_CONNECTOR and the settings of that connector',
  },
  extb_not_configured: {
    kind: 'unavailable',
    text: 'ExtB is not configured: set EXTB_CONNECTOR and the settings of that connector',
  },
  extc_not_configured: {
    kind: 'unavailable',
    text: 'ExtC is not configured: set EXTC_CONNECTOR and the settings of that connector',
  },
  extldap_not_configured: {
    kind: 'unavailable',
    text: 'ExtLdap is not configured: set EXTLDAP_URL, EXTLDAP_BASE_DN, EXTLDAP_BIND_DN and EXTLDAP_BIND_PASSWORD',
  },

  records_hidden: {
    kind: 'forbidden',
    text: 'records of a source are shown only to roles that may see every declared attribute',
  },
  relation_deleted: { kind: 'unavailable', text: 'the field relation {flag} was deleted: add one with this flag' },
  relation_unusable: { kind: 'unavailable', text: 'the field relation {flag} cannot be used: {problem}' },
  flag_taken: { kind: 'conflict', text: 'is already taken' },
  unknown_field: { kind: 'invalid', text: 'is not a field that can be filled: use one of {fields}' },
  field_required: { kind: 'invalid', text: 'is required' },
  expression: { kind: 'invalid', text: '{problem} at character {position}' },
})

export const relationClashes: Clashes = { field_relations_flag_key: () => reasons.flag_taken.at('flag') }
