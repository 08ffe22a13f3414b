import type { Verdict } from '../../audit/verify-rules.ts'
import type { Lack } from '../../db/lack.ts'
import type { Slot } from '../../sources/slot.ts'
import type { RunKind } from '../../sync/run-request.ts'

/** The facts of the installation at one moment; the whole assessment depends on them alone. */
export interface Facts extends StoredFacts {
  /** When they were gathered. */
  at: Date
  /** Of the newest entries of the operation log. */
  chain: Verdict
  /** Entries of the operation log that this instance cannot write now. */
  stuckEntries: number
  /** What the database lacks to write them, where that is known. */
  stuckFor: Lack | null
  settings: Settings
}

/** The facts in the database, at one moment. */
export interface StoredFacts {
  requests: RequestFacts
  /** Accounts, addresses and second factors that are locked now, in readable form. */
  locks: string[]
  directory: DirectoryFacts
  runs: RunFacts[]
  devices: DeviceFacts
  backups: BackupFacts
  alerts: AlertFacts
  people: PeopleFacts
}

/** Of the last 24 hours, from the operation log, including entries that were deleted from its list. */
export interface RequestFacts {
  signInFailures: number
  /** From which those came. */
  signInAddresses: number
  /** Answered with 403. */
  denied: number
  /** The number of callers that were denied. */
  deniedCallers: number
  /** The caller with the most denials, and their number; null: there were none. */
  mostDenied: { username: string; times: number } | null
  /** Answered with 429. */
  limited: number
}

export interface DirectoryFacts {
  /** People and groups that belong in the directory. */
  records: number
  /** Of those, the ones that are not in sync. */
  pending: number
  /** Of those pending, refused by the directory. */
  parked: number
  /** Of those pending, attempted three times and more. */
  stuck: number
  /** Of those pending, changes that take something away and have not arrived for a minute. */
  late: number
  /** When everything was last compared; null: never. */
  comparedAt: Date | null
}

/**
 * The newest run of a source and kind that ended, dry runs left out; after it those that are held still: a run that fails
 * replaces none.
 */
export interface RunFacts {
  id: number
  source: Slot
  kind: RunKind
  state: string
  endedAt: Date
  /** Records that could not be imported. */
  failed: number
}

export interface DeviceFacts {
  total: number
  offline: number
  lowBattery: number
  /** State online, but silent for longer than DEVICE_TIMEOUT. */
  silent: number
}

export interface BackupFacts {
  /** The newest one that was verified and still exists, without those from the future; null: none exists. */
  newest: { at: Date; encrypted: boolean } | null
  /** The number of such backups, with those from the future. */
  proven: number
  /** The latest time of such a backup that is in the future, as a clock that was ahead gave it; null: none is. */
  future: Date | null
  /** Failed backups since the newest verified one. */
  failedSince: number
}

export interface AlertFacts {
  open: number
  /** Of the open ones, those of level danger. */
  openDanger: number
  /** Of those, raised more than an hour ago. */
  overdue: number
}

export interface PeopleFacts {
  /** Enabled people with an enabled role of sort 1. */
  administrators: number
  /** Of those, the ones without a confirmed second factor: the first few names, and the number. */
  withoutFactor: number
  withoutFactorNames: string[]
  /** Sessions that can still be used. */
  sessions: number
  /** Of those, not used for three days. */
  idleSessions: number
}

/** The security-relevant part of the configuration; see settings.ts. */
export interface Settings {
  directory: 'none' | 'embedded' | 'external'
  /** Milliseconds between comparisons of the directory with SQL. */
  driftInterval: number
  sources: readonly Slot[]
  /** Settings whose secret can be guessed. */
  guessableSecrets: string[]
  /** JWT_SECRET is not set, so the installation's own is used. */
  generatedSecret: boolean
  /** LOG_KEY is not set, so the log is signed with the secret of the tokens. */
  logKeyMissing: boolean
  /** ADMIN_PASSWORD is set, which only the first start needs. */
  adminPasswordKept: boolean
  /** Settings whose connections go over a network unencrypted. */
  clearConnections: string[]
  smtpMissing: boolean
  /** Origins of CORS_ORIGIN without TLS. */
  clearOrigins: string[]
  /** TRUST_PROXY trusts every sender of a forwarding header. */
  trustsAnyClient: boolean
  /** HOST is an address that others can reach, without a proxy that could terminate TLS. */
  openToNetwork: boolean
  embeddedDatabase: boolean
  backupKeyMissing: boolean
  /** BACKUP_SCHEDULE is off. */
  backupsUnscheduled: boolean
  /**
   * LDAP_PASSWORD_SCHEME, and those of further directories, that name a hash that can be guessed fast. That of the main
   * directory is also in SQL and in backups.
   */
  fastPasswordHashes: string[]
  /** LDAP_NT_HASH, or that of a further directory: its entries have NT hashes of passwords. */
  ntHashes: boolean
  /** SESSION_MAX, milliseconds. */
  sessionMax: number
}
