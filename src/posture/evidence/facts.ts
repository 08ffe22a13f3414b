import type { Verdict } from '../../audit/verify.ts'
import type { Slot } from '../../sources/slot.ts'
import type { RunKind } from '../../sync/sync.ts'

/** What is known of the installation at one moment; everything that is said about it follows from this alone. */
export interface Facts extends StoredFacts {
  /** When they were gathered. */
  at: Date
  /** Of the newest entries of the operation log. */
  chain: Verdict
  /** Entries of the operation log that this instance cannot write now. */
  stuckEntries: number
  settings: Settings
}

/** What the database knows, as of one moment. */
export interface StoredFacts {
  requests: RequestFacts
  /** Accounts, addresses and second factors that may not be tried now, as people call them. */
  locks: string[]
  directory: DirectoryFacts
  runs: RunFacts[]
  devices: DeviceFacts
  backups: BackupFacts
  alerts: AlertFacts
  people: PeopleFacts
}

/** Of the last 24 hours, from the operation log, also entries that somebody deleted from its list. */
export interface RequestFacts {
  signInFailures: number
  /** From which those came. */
  signInAddresses: number
  /** Answered with 403. */
  denied: number
  /** Whom they were denied. */
  deniedCallers: number
  /** Who was denied most, and how often; null: nobody. */
  mostDenied: { username: string; times: number } | null
  /** Answered with 429. */
  limited: number
}

export interface DirectoryFacts {
  /** People and groups that belong into the directory. */
  records: number
  /** Of those, not there yet as they should be. */
  pending: number
  /** Of those pending, refused by the directory. */
  parked: number
  /** Of those pending, tried three times and more. */
  stuck: number
  /** Of those pending, what takes something away and has not arrived for a minute. */
  late: number
  /** When everything was last compared; null: never. */
  comparedAt: Date | null
}

/** The newest run of a source and kind that ended, dry runs left out. */
export interface RunFacts {
  id: number
  source: Slot
  kind: RunKind
  state: string
  endedAt: Date
  /** Records it could not bring home. */
  failed: number
}

export interface DeviceFacts {
  total: number
  offline: number
  lowBattery: number
  /** Said to be online, and silent for longer than DEVICE_TIMEOUT. */
  silent: number
}

export interface BackupFacts {
  /** The newest one that was proven and is still there; null: there is none. */
  newest: { at: Date; encrypted: boolean } | null
  /** How many such there are. */
  proven: number
  /** That failed since the newest proven one. */
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
  strongest: number
  /** Of those, the first few names, and the number, of who has no confirmed second factor. */
  withoutFactor: number
  withoutFactorNames: string[]
  /** Sessions that can still be used. */
  sessions: number
  /** Of those, not used for three days. */
  idleSessions: number
}

/** What the configuration says that matters here; see settings.ts. */
export interface Settings {
  directory: 'none' | 'embedded' | 'external'
  /** Milliseconds between comparisons of the directory with SQL. */
  driftInterval: number
  sources: readonly Slot[]
  /** Settings whose secret anybody could guess. */
  guessableSecrets: string[]
  /** JWT_SECRET is not set, so the installation's own is used. */
  generatedSecret: boolean
  /** LOG_KEY is not set, so the log is signed with what signs tokens. */
  logKeyMissing: boolean
  /** ADMIN_PASSWORD is set, which only the first start needs. */
  adminPasswordKept: boolean
  /** Settings of which what they name is reached over a network in clear. */
  clearConnections: string[]
  smtpMissing: boolean
  /** Origins of CORS_ORIGIN that are reached in clear. */
  clearOrigins: string[]
  /** TRUST_PROXY is on: everybody's word on where a request comes from is taken. */
  trustsEverybody: boolean
  /** HOST is an address others can reach, without a proxy that could have ended TLS. */
  openToNetwork: boolean
  embeddedDatabase: boolean
  backupKeyMissing: boolean
  /** BACKUP_SCHEDULE is off. */
  backupsUnscheduled: boolean
  /** LDAP_PASSWORD_SCHEME names a hash that is fast to guess: it is in the directory, in SQL and in backups. */
  fastPasswordHash: boolean
  /** SESSION_MAX, milliseconds. */
  sessionMax: number
}
