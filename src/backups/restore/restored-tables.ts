/**
 * The tables that a restore does not change, because they record what has happened since, or the state of current work.
 * All other tables are replaced.
 */
const kept: ReadonlySet<string> = new Set([
  // Records of the past: a caller who may restore must not be able to undo them.
  'operation_logs',
  'operation_log_head',
  'operation_log_writers',
  'log_receivers',
  'backups',
  'alerts',
  'emergencies',
  'notifications',
  'security_checks',
  'reports',
  'runs',
  'run_changes',
  'tasks',
  // Ended by a restore, and never restored.
  'sessions',
  'mail_codes',
  'step_up_codes',
  // A lock against guessing passwords must not open because of a restore.
  'throttles',
  'known_binders',
  'schedules',
  'leases',
  // A restore does not change the directory: the reconciler continues from its present state. A record whose entry is
  // unknown to the ledger gets the backup's state (see mirror/ledger/restore.ts).
  'directory_entries',
  'directories',
  'service_entries',
  // Numbers that were given since the backup must not be given again; those of the backup are added (see there).
  'posix_numbers',
])

/** The part of a table that is replaced: `all`, some rows (an SQL condition), or nothing. */
export type Extent = 'all' | { where: string } | 'nothing'

export const extentOf = (table: string): Extent => {
  // The list of created defaults is replaced with the roles and menus, and the version of the mobile keys with the
  // users.
  if (table === 'facts') return { where: `name in ('seeded', 'mobile keys')` }
  return kept.has(table) ? 'nothing' : 'all'
}
