import { statementsOf } from '../failures/statement-table.ts'

/** What the reports of runs say about plans, records and changes. */
export const statements = statementsOf('sync', {
  // Why a plan is held
  no_people: 'The source returned no people',
  no_departments: 'The source returned no departments',
  incomplete: 'The source did not return everything: {gap}',
  incomplete_otherwise:
    'The source did not return everything, and it left out other parts than those that were confirmed: {gap}',
  too_many_people: 'It would disable {count} of {all} people: the limit is {limit} (SYNC_MAX_REMOVALS)',
  too_many_departments: 'It would remove {count} of {all} departments: the limit is {limit} (SYNC_MAX_REMOVALS)',
  changes_held: 'Changes that are held because {reason}: {count}',

  // Why a change is held, or was not made
  higher_rank: 'it concerns people whose rank is not lower than that of the user who runs it',
  administrators: 'it concerns administrators',
  mail_signs_in: 'mail: the roles of the person grant what those of the user who runs it do not',
  last_administrator: 'at least one enabled administrator must remain',
  entangled: 'it depends on another change that is held',
  stale: 'it was changed here while the run was under way',
  value_taken: '{field}: is taken by another record by now',
  database_refused: 'the database refused it ({code})',
  directory_refused: 'the directory refused it: {error}',
  group_name_taken: 'groupName: is taken by another group by now',
  groups_below: 'there are groups below it by now',
  below_itself: 'it would be below itself: another change was left out',
  no_group_above: 'the group above it could not be made',

  // Why a record cannot be imported
  field_unusable: '{field}: {problem}',
  not_in_record: 'is not in the record',
  a_list: 'is a list: take one of it, as in field[0], or all, as in join(field, ",")',
  an_object: 'is an object: name a field in it, as in field.name',
  a_list_of_lists: 'is a list of lists or objects, which join cannot make a text of',
  not_valid: 'is not valid',
  no_place: 'it is below itself, or nested too deeply',
  gone_but_stays:
    'it no longer exists at the source, but stays: other groups below it: {groups}, other people in it: {people}',
  unknown_department: 'department {id} is not known here; people in it: {people}',
  departments_missing: 'the departments of this source were never imported',
  belongs_to: '{field}: already belongs to {holder}; left out',
  number_taken: 'posixNumber: {number} belongs to another record, or did; left out',
  number_kept: 'posixNumber: {number} is left out: it has {present}, which stays',
  not_posix_number: 'must be a number from 500 to 4294967293, but not 65534 or 65535',
  belongs_to_other: '{field}: already belongs to another record of the source; left out',

  // Why a text is not an expression
  expected: 'expected {what}',
  expected_before_end: 'expected {what}, not the end,',
  unexpected: 'unexpected {character}',
  goes_on: 'expected at most {limit} characters; it goes on',
  operand: 'a field, a quoted text or a function',
  field: 'a field',
  number_or_field: 'a number or a quoted field',
  digits: 'at most {limit} digits',
  sign: 'a {sign}',
  sign_or: 'a {sign} or {other}',
  comma: 'a comma',
  end: 'the end',
  one_of: 'one of {names}',
  functions: 'at most {limit} functions inside each other',
  quoted: 'a quoted text',
  filled: 'a text that is not empty',
  closing_quote: 'a closing quote for the text',

  // Why a source did not answer, with what helps
  with_advice: '{problem}. {advice}',

  // Why a run ended
  stopped: 'the service was stopped',
  broken_off: 'the instance that ran it has stopped',
  directory_said: '{problem}',
  database_away: 'the database went away',
  internal: 'an internal error',
  see_report: 'see its report',
  groups: 'groups',
  users: 'users',
  unknown_cause: 'no reason was recorded',
  directory_silent: 'the directory does not respond; records that are saved, but not yet in it: {records}',
  directory_behind: 'records that are saved, but not yet in the directory: {records}',
  not_yet_there: 'it is saved, but not yet in the directory: {error}',

  // What to do
  start_again: 'Start it again: changes that were made are kept, and the rest is planned again',
  start_again_later: 'Start it again once the cause is gone; what it has done so far is kept',
  correct_or_map: 'Correct it at the source, or change the field relation',
  correct: 'Correct it at the source',
  correct_or_clear: 'Correct it at the source, or clear it on {holder}',
  ids_unusable:
    '{records} records were left out: they have no id, one of more than {longest} characters, or one with a NUL',
  correct_ids: 'Give them other ids at the source',
  correct_place: 'Correct its place at the source',
  remove_others: 'Move or remove what does not come from this source; the next run then removes the group',
  import_departments: 'Import the departments of this source',
  confirm_or_correct: 'A user of higher rank can confirm this run, or the record can be corrected at the source',
  next_run: 'The next run looks at it again',
  follows: 'No action is needed: they follow as soon as the directory is available again',
  tried_again: 'Steward tries again by itself; if that does not help, correct what the directory refuses',
})
