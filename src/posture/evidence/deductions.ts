export type IssueLevel = 'info' | 'warning' | 'danger'

interface Deduction {
  level: IssueLevel
  /** Subtracted from the score, for each finding. */
  points: number
  /** The condition, as the table in docs/alerts-and-status.md describes it. */
  when: string
}

const row = (level: IssueLevel, points: number, when: string): Deduction => ({ level, points, when })

/**
 * All possible findings with their points. The table in docs/alerts-and-status.md has the same content. The limits in
 * the texts are those of the probes.
 */
export const deductions = {
  signInAttack: row('danger', 20, '100 or more failed sign-ins within 24 hours'),
  signInFailures: row('warning', 5, '20 or more failed sign-ins within 24 hours'),
  signInLocks: row('warning', 5, 'an account or an address is locked now'),
  denialsMany: row('danger', 15, '200 or more requests denied (403) within 24 hours'),
  denials: row('warning', 5, '20 or more requests denied (403) within 24 hours'),
  limits: row('warning', 3, '50 or more requests refused for a rate limit (429) within 24 hours'),
  directoryLate: row(
    'danger',
    20,
    'a user was disabled or deleted, or lost a password or a membership, and still has it in the directory after a minute',
  ),
  directoryParked: row('warning', 8, 'the directory refused records'),
  directoryStuck: row('warning', 8, 'records have not reached the directory after three tries'),
  driftUnknown: row('warning', 8, 'the directory was not compared with SQL for three times DRIFT_INTERVAL'),
  directoryNone: row('info', 0, 'there is no directory'),
  directoryEmbedded: row('info', 2, 'the directory is the embedded one'),
  runFailed: row('warning', 8, 'the newest run of a source failed (each source and kind)'),
  runHeld: row('warning', 5, 'a run is held and waits for a decision (each source and kind)'),
  sourceNeverRun: row('warning', 3, 'a source is configured and was never imported (each source and kind)'),
  sourceOld: row('warning', 5, 'a source was not imported for 7 days (each source and kind)'),
  recordsFailed: row('info', 1, 'the newest run of a source could not import some records (each source and kind)'),
  devicesDark: row('danger', 15, 'half of the devices or more are offline'),
  devicesOffline: row('warning', 5, 'a device is offline'),
  devicesSilent: row('warning', 3, 'a device with the status online sends no heartbeats'),
  batteryLow: row('warning', 3, 'the battery of a device is low'),
  backupNone: row('warning', 15, 'there is no proven backup'),
  backupStale: row('danger', 20, 'the newest proven backup is older than 7 days'),
  backupOld: row('warning', 10, 'the newest proven backup is older than 36 hours'),
  backupFailed: row('warning', 5, 'a backup failed since the newest proven one'),
  backupFuture: row('warning', 5, 'a proven backup is dated in the future, by more than 5 minutes'),
  backupClear: row('info', 3, 'the newest proven backup is not encrypted'),
  chainBroken: row('danger', 40, 'the operation log is not what was written'),
  chainUnchecked: row('warning', 10, 'entries of the operation log are signed with a key that is not known'),
  chainStuck: row('danger', 25, 'entries of the operation log cannot be written'),
  chainGap: row('warning', 5, 'entries of the operation log were lost, or may have been'),
  chainEmpty: row('warning', 5, 'the operation log is empty'),
  alertsOverdue: row('danger', 15, 'a danger alert is not handled after an hour'),
  alertsDanger: row('warning', 5, 'a danger alert is open'),
  alertsOpen: row('info', 1, 'alerts are open'),
  secretGuessable: row('danger', 25, 'a secret could be guessed (each setting)'),
  connectionClear: row('danger', 15, 'a connection that carries secrets is not encrypted (each setting)'),
  factorMissing: row('warning', 10, 'a user with a role of sort 1 has no second factor'),
  openToNetwork: row('warning', 5, 'the service is reached over a network without a proxy that ends TLS'),
  trustsAnyClient: row('warning', 5, 'X-Forwarded-For of any client is trusted'),
  originClear: row('warning', 5, 'an origin without TLS may call the service'),
  smtpMissing: row('warning', 5, 'there is no mail server, so alerts are not sent by mail'),
  backupsUnscheduled: row('warning', 5, 'no backups are scheduled'),
  backupKeyMissing: row('info', 2, 'backups are not encrypted'),
  adminPasswordKept: row('info', 2, 'the first administrator’s password is still in the settings'),
  secretGenerated: row('info', 1, 'tokens are signed with a generated secret'),
  logKeyMissing: row('info', 1, 'the operation log has no key of its own'),
  fastPasswordHash: row('warning', 5, 'passwords are kept as a hash that is fast to guess'),
  ntHashes: row('warning', 8, 'the directory has NT hashes of passwords (LDAP_NT_HASH)'),
  idleSessions: row('info', 1, 'sessions are open that were not used for three days'),
  databaseEmbedded: row('info', 1, 'the database is the embedded one'),
} as const satisfies Record<string, Deduction>

export type FindingKind = keyof typeof deductions
