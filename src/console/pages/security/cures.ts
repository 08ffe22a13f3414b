import type { Data } from '../../app/api.ts'
import type { OperationId } from '../../generated/calls.ts'
import type { SearchValues } from '../../ui/use-search.ts'

type Deduction = Data<'getScore'>['deductions'][number]

interface Place {
  to: string
  search?: SearchValues
  /** What the page there needs. */
  needs: OperationId
}

/** What does something about a finding: a page of the console, settings of the service, or both. */
export interface Cure {
  place?: Place
  settings?: readonly string[]
}

const logOf = (search: SearchValues): Cure => ({
  place: { to: '/log', search: { range: 'day', ...search }, needs: 'listLogEntries' },
})
const signIns = logOf({ path: '/base/login', result: 'refused' })
const denied = logOf({ result: 'refused' })
const log: Cure = { place: { to: '/log', needs: 'listLogEntries' } }
const refused: Cure = { place: { to: '/people', search: { sync: 'refused' }, needs: 'listPeople' } }
const devices: Cure = { place: { to: '/security/devices', needs: 'listDevicesInFull' } }
const backups: Place = { to: '/backups', needs: 'listBackupFiles' }
const alerts: Cure = { place: { to: '/security/alerts', needs: 'searchAlerts' } }
const run = ({ params }: Deduction): Cure => ({
  ...(params.id !== undefined && { place: { to: `/runs/${params.id}`, needs: 'getRun' } }),
})
const sources: Cure = { place: { to: '/runs', needs: 'listRuns' } }
const named = ({ params }: Deduction): Cure => ({ settings: [params.name ?? ''] })

const cures: Readonly<Record<Deduction['kind'], Cure | ((deduction: Deduction) => Cure)>> = {
  signInAttack: signIns,
  signInFailures: signIns,
  signInLocks: signIns,
  denialsMany: denied,
  denials: denied,
  limits: denied,
  directoryLate: { ...refused, settings: ['LDAP_URL'] },
  directoryParked: refused,
  directoryStuck: { settings: ['LDAP_URL', 'LDAP_BIND_DN', 'LDAP_BIND_PASSWORD'] },
  driftUnknown: { settings: ['LDAP_URL', 'DRIFT_INTERVAL'] },
  directoryNone: { settings: ['LDAP_URL', 'LDAP_BASE_DN', 'LDAP_BIND_DN', 'LDAP_BIND_PASSWORD'] },
  directoryEmbedded: { settings: ['LDAP_URL'] },
  runFailed: run,
  runHeld: run,
  sourceNeverRun: sources,
  sourceOld: ({ params }) => ({ ...sources, settings: [`${(params.slot ?? '').toUpperCase()}_SCHEDULE`] }),
  recordsFailed: run,
  devicesDark: devices,
  devicesOffline: devices,
  devicesSilent: devices,
  batteryLow: devices,
  backupNone: { place: backups },
  backupStale: { place: backups, settings: ['BACKUP_SCHEDULE'] },
  backupOld: { place: backups, settings: ['BACKUP_SCHEDULE'] },
  backupFailed: { place: backups },
  backupFuture: { place: backups },
  backupClear: { place: backups, settings: ['BACKUP_KEY'] },
  chainBroken: log,
  chainUnchecked: { settings: ['LOG_KEY'] },
  chainStuck: { settings: ['DATABASE_URL'] },
  chainGap: log,
  chainEmpty: log,
  alertsOverdue: alerts,
  alertsDanger: alerts,
  alertsOpen: alerts,
  secretGuessable: named,
  connectionClear: named,
  factorMissing: { place: { to: '/me', search: { tab: 'secondFactor' }, needs: 'enrolTotp' } },
  openToNetwork: { settings: ['HOST', 'TRUST_PROXY'] },
  trustsAnyClient: { settings: ['TRUST_PROXY'] },
  originClear: { settings: ['CORS_ORIGIN'] },
  smtpMissing: { settings: ['SMTP_URL', 'MAIL_FROM'] },
  backupsUnscheduled: { settings: ['BACKUP_SCHEDULE'] },
  backupKeyMissing: { settings: ['BACKUP_KEY'] },
  adminPasswordKept: { settings: ['ADMIN_PASSWORD'] },
  secretGenerated: { settings: ['JWT_SECRET'] },
  logKeyMissing: { settings: ['LOG_KEY'] },
  fastPasswordHash: ({ params }) => ({ settings: (params.names ?? '').split(', ') }),
  ntHashes: { settings: ['LDAP_NT_HASH'] },
  idleSessions: { place: { to: '/me', search: { tab: 'sessions' }, needs: 'listOwnSessions' } },
  databaseEmbedded: { settings: ['DATABASE_URL'] },
}

export const cureOf = (deduction: Deduction): Cure => {
  const cure = cures[deduction.kind]
  return typeof cure === 'function' ? cure(deduction) : cure
}
