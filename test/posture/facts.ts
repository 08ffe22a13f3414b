import type { Facts } from '../../src/posture/evidence/facts.ts'

export const at = new Date('2026-03-05T10:00:00Z')
export const ago = (milliseconds: number): Date => new Date(at.getTime() - milliseconds)
export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** An installation where nothing is left to be desired. */
export const goodFacts: Facts = {
  at,
  requests: { signInFailures: 3, signInAddresses: 2, denied: 1, deniedCallers: 1, mostDenied: null, limited: 0 },
  locks: [],
  directory: { records: 1034, pending: 2, parked: 0, stuck: 0, late: 0, comparedAt: ago(4 * minute) },
  runs: [
    { id: 57, source: 'exta', kind: 'groups', state: 'done', endedAt: ago(3 * hour), failed: 0 },
    { id: 58, source: 'exta', kind: 'users', state: 'done', endedAt: ago(3 * hour), failed: 0 },
  ],
  devices: { total: 4, offline: 0, lowBattery: 0, silent: 0 },
  backups: { newest: { at: ago(7 * hour), encrypted: true }, proven: 9, failedSince: 0, future: null },
  alerts: { open: 0, openDanger: 0, overdue: 0 },
  people: { administrators: 2, withoutFactor: 0, withoutFactorNames: [], sessions: 12, idleSessions: 0 },
  chain: { checked: 2000, head: { seq: 4711, hash: 'abc.def' }, broken: null, unchecked: null, gaps: [] },
  stuckEntries: 0,
  stuckFor: null,
  settings: {
    directory: 'external',
    driftInterval: 5 * minute,
    sources: ['exta'],
    guessableSecrets: [],
    generatedSecret: false,
    logKeyMissing: false,
    adminPasswordKept: false,
    clearConnections: [],
    smtpMissing: false,
    clearOrigins: [],
    trustsAnyClient: false,
    openToNetwork: false,
    embeddedDatabase: false,
    backupKeyMissing: false,
    backupsUnscheduled: false,
    fastPasswordHashes: [],
    ntHashes: false,
    sessionMax: 30 * day,
  },
}

type Changes = { [K in keyof Facts]?: Facts[K] extends readonly unknown[] | Date ? Facts[K] : Partial<Facts[K]> }

/** Those facts, with some replaced. */
export const factsBut = (changes: Changes): Facts => {
  const facts: Record<string, unknown> = { ...goodFacts }
  for (const [part, change] of Object.entries(changes)) {
    const plain = typeof change === 'object' && !Array.isArray(change) && !(change instanceof Date)
    facts[part] = plain ? { ...(facts[part] as object), ...change } : change
  }
  return facts as unknown as Facts
}
