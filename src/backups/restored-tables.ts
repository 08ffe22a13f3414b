/**
 * What a restore leaves as it is, because it tells what has happened since, or where work under way has got to. All
 * other tables are replaced.
 */
const kept: ReadonlySet<string> = new Set([
  // What happened, happened; and what tells of it must not be taken back by who may restore.
  'operation_logs',
  'operation_log_head',
  'operation_log_writers',
  'backups',
  'alerts',
  'emergencies',
  'notifications',
  'security_checks',
  'reports',
  'runs',
  'run_changes',
  // Ended by a restore, and never brought back.
  'sessions',
  'mail_codes',
  'step_up_codes',
  // Locks on whoever guesses passwords do not open because data was restored.
  'throttles',
  'schedules',
  // What the directory holds does not change by a restore: the reconciler goes on from there. A ledger that knows of no
  // entry of a record is told what the backup's knew (see ldap/ledger-restore.ts).
  'directory_entries',
])

/** What of a table is replaced: `all`, some rows (an SQL condition), or nothing. */
export type Extent = 'all' | { where: string } | 'nothing'

export const extentOf = (table: string): Extent => {
  // Which directory the entries were written to stays. What was once put in place goes with the roles and menus, and how
  // the keys of mobiles were made goes with the users.
  if (table === 'facts') return { where: `name in ('seeded', 'mobile keys')` }
  return kept.has(table) ? 'nothing' : 'all'
}
