import { type SQL, sql } from 'drizzle-orm'
import type { Statement } from '../failures/statement.ts'
import { statementsOf } from '../failures/statement-table.ts'

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
  no_directory: 'no directory is configured',
  set_directory: 'set LDAP_URL, or EMBEDDED_LDAP_PORT to a port',
  layout_missing: 'the entry {dn}, which holds the others, is missing',
  layout_follows: 'a comparison that is not a dry run creates it',
  password_taken_over: 'the password that was changed in the directory is taken over',
  add_or_delete: 'add the person or group, or delete the entry if it is not needed',

  // Why an entry is not equal to its record yet, or does not show all of it
  on_its_way: 'the change is on its way to the directory',
  not_answered_yet: 'the directory has not answered yet',
  nowhere: 'no directory is configured: set LDAP_URL, or EMBEDDED_LDAP_PORT to a port',
  internal_error: 'internal error, see the log',
  lease_lost: 'this process stood still for so long that another instance may have taken over',
  written_elsewhere: 'another instance is writing it',
  group_written_elsewhere: 'another instance is writing a group below it',
  and_also: '{first}; {then}',
  name_held: 'its name is still taken by another record',
  below_itself: 'the group that it is to be below is still below it',
  being_moved: 'it is being moved, or a group above it',
  not_kept: 'the directory does not keep what is written: another tool or a rule of the server changes it back',
  interrupted: 'a write of it was interrupted',
  parent_missing: 'its parent group is not in the directory',
  moved_away: 'its entry was moved in the directory',
  group_above_moved: 'a group above it was moved in the directory',
  entries_below: 'there are entries below it: {problem}',
  place_taken: 'another entry is already at {dn}',
  place_hidden: 'an entry is at {dn} that the account of LDAP_BIND_DN may not see: let it read all below LDAP_BASE_DN',
  added_and_gone: '{dn} was added and is gone',
  gone: '{dn} is gone',
  base_missing:
    'the base entry {dn} does not exist and can only be made where its name starts with dc=, o= or ou=: create it, or set LDAP_BASE_DN to one that exists',
  attributes_stay: 'the directory does not let go of {attributes} on the entry of a person who is disabled: {problem}',
  too_much_to_keep:
    'more is on the entry of a person who is disabled than can be kept ({limit} characters): remove {attributes}',
  not_put_back: 'what other tools had put on the entry ({attributes}) could not be put back: {problem}',
  schema_lacks: "not shown, because the directory's schema has no such attribute or auxiliary class: {attributes}",
  no_posix_number: 'it has no POSIX number, because POSIX_NUMBERS has none left',
  no_posix_name: 'its username cannot be that of a POSIX account',

  // What was withdrawn and is still in the directory
  late_group: '{name} (group, deleted)',
  late_members: '{name} (members of the group)',
  late_deleted: '{name} (deleted)',
  late_disabled: '{name} (disabled)',
  late_password: '{name} (password)',
  late_outside: '{name} (not in LDAP_{directory}_GROUPS any more)',

  // What leaves a further directory
  removal_held:
    'its removal is held: one change would remove more entries from this directory than LDAP_2_MAX_REMOVALS allows',
  removals_allowed: 'LDAP_{directory}_MAX_REMOVALS={count}',

  may_not_add: 'the account that Steward signs in as may not add people below {dn}',

  // Passwords
  password_absent:
    'the password is not in the directory: {reason}. The next sign-in here with the right one tries again',
  password_unhashed:
    'the person has no password in the directory: there is no {scheme} hash of it yet. It gets one at the next sign-in here, or with a new password',
  several_passwords: 'the directory holds {count} passwords: they are left as they are',
  clear_password: 'its password is in the directory in clear text: it is left there',
  weak_password: 'the password in the directory breaks the rules for passwords: it is left there',
  unknown_hash: 'the password in the directory is a hash ({scheme}) that cannot be verified here: it is left there',
  no_service_accounts: 'an Active Directory gets no service accounts: it takes no hashes of passwords',
  service_password_unhashed:
    'a password of the account has no {scheme} hash, which is made together with a password only: give it a new one',
  password_waits:
    'the directory has not got the password, so the account is disabled there: it gets it at the next sign-in here, or with a new password',
  password_expired:
    'the password has expired in the directory, or has to be changed there: it is set anew at the next sign-in here',
  password_refused:
    'the directory refused the password, so the account is disabled there: {problem}; choose another one, or change its password policy and sign in here',
  password_taken_away:
    'the directory did not take the new password, so the person has none there: the former one was removed; set another one, or change what refuses it there and synchronize the person',
  password_not_taken_away:
    'the former password goes on working there: the directory let it neither be replaced nor be removed',
  password_refused_before:
    'the directory refused the password, so the account is disabled there: choose another one, or change its password policy and sign in here',
  not_asked_yet: 'the directory was not asked yet',
  scheme_unknown: '{scheme} is not known here',
  scheme_unverified: 'the directory cannot verify {scheme} hashes: load its {module} module, or set {setting}={other}',
  accepts_wrong_password: 'the directory accepts a wrong password for an entry of ours',
  check_refused: "the directory refused the password check's temporary entry: {problem}",

  // Why a record cannot have its place, or an entry cannot be adopted
  account_below: '{dn} is neither renamed nor deleted: the entry that Steward signs in as (LDAP_BIND_DN) is below it',
  no_place: 'no record can be at {dn}: {reason}; change the name of this one',
  not_ours:
    "the entry {dn} is not Steward's: rename or delete it, or change the name of this record; or let an administrator adopt it (POST /api/v1/operations/orphans/adopt)",
  not_ours_beside:
    "the entry {dn} is not Steward's: rename or delete it, or change the name of this record; it cannot be adopted, for this record has an entry of its own at {own}",
  not_ours_unfit:
    "the entry {dn} is not Steward's: rename or delete it, or change the name of this record; it cannot be adopted: {reason}",
  foreign_classes: 'it has object classes that Steward does not write: {classes}',
  class_missing: 'it lacks the object class {class}',
  own_account: 'Steward itself signs in to the directory as this entry (LDAP_BIND_DN)',
  system_entry: 'the directory cannot do without this entry (isCriticalSystemObject)',
  own_layout: 'the layout of the directory needs this entry',
  outside: 'this entry is at the base DN, above it, or outside of it',
  own_account_below: 'LDAP_BIND_DN is below this entry',
  unclaimed: 'no person or group has its name and place: add one, or ignore it',
  own_entry: 'its record has an entry of its own at {dn}',

  account_name_held: 'another account or group of the domain has the name {name} (sAMAccountName): {problem}',

  // Another layout of groups
  layout_unit: 'the flat layout needs the place of this entry: rename the group',
  layout_occupied: 'another entry is at {dn}: rename or delete it first',
  layout_held_many: 'groups that get another DN, so that applications that name them have to follow: {count}',
  layout_held_renamed:
    'groups that get a number in the name of their entry, because another group has the name: {count}',
  layout_held_occupied: 'groups that stay where they are, because other entries are at their places: {count}',
  layout_held_waiting: 'groups that are not in the directory yet: {count}',
  layout_slow: 'no group has moved for a minute',
})

/** Several reasons as one; null: there is no reason. */
export const joined = (reasons: readonly (Statement | null)[]): Statement | null =>
  reasons.reduce((first, then) => (first && then ? statements.and_also({ first, then }) : (first ?? then)), null)

/** As a value of the column `stated`. */
export const asJson = (stated: Statement | null): SQL =>
  stated === null ? sql`null::jsonb` : sql`${JSON.stringify(stated)}::jsonb`
