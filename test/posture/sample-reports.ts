import { assess } from '../../src/posture/evidence/assess.ts'
import type { Facts } from '../../src/posture/evidence/facts.ts'
import type { History } from '../../src/posture/report/history.ts'
import type { Report } from '../../src/posture/report/page.ts'
import { displayTime } from '../../src/text/display.ts'
import { ago, day, factsBut, hour, minute } from './facts.ts'

/** Names by which an attacker would try to inject into a page. */
export const hostileName = `"><img src=x onerror=alert(1)></svg><script>document.title='taken'</script>\u202eevil' & <b>`

const dayOf = (daysAgo: number): string => displayTime(ago(daysAgo * day), 'UTC').slice(0, 10)
const lastDays = <T>(make: (daysAgo: number) => T): T[] => Array.from({ length: 14 }, (_, index) => make(13 - index))

const report = (facts: Facts, history: History, creator: string): Report => ({
  facts,
  assessment: assess(facts),
  history,
  creator,
  timeZone: 'Asia/Shanghai',
  display: (instant) => displayTime(instant, 'Asia/Shanghai'),
  expiresAt: ago(-10 * minute),
})

/** Of an installation that has seen some days, and a bad one. */
export const busyReport: Report = report(
  factsBut({
    requests: {
      signInFailures: 47,
      signInAddresses: 6,
      denied: 31,
      deniedCallers: 3,
      mostDenied: { username: hostileName, times: 28 },
    },
    locks: ['account li.na', `account ${hostileName}`],
    directory: { parked: 2, pending: 5, stuck: 2 },
    devices: { total: 12, offline: 2, lowBattery: 1, silent: 1 },
    backups: { failedSince: 1 },
    alerts: { open: 4, openDanger: 2, overdue: 1 },
    people: { withoutFactor: 1, withoutFactorNames: ['admin'] },
    settings: { smtpMissing: true, generatedSecret: true },
    chain: { checked: 2000, head: { seq: 184_223, hash: '4f1c22ab.XeM0q1n8b7gY5cU2o9vKfJ3sD6hT4wLzPaRiEuQyNkB' } },
  }),
  {
    alerts: lastDays((daysAgo) => ({
      day: dayOf(daysAgo),
      info: (daysAgo * 7) % 4,
      warning: (daysAgo * 5) % 3,
      danger: daysAgo === 2 ? 3 : daysAgo === 0 ? 2 : 0,
    })),
    signIns: lastDays((daysAgo) => ({
      day: dayOf(daysAgo),
      signedIn: 120 + ((daysAgo * 37) % 60),
      failed: daysAgo === 2 ? 96 : (daysAgo * 3) % 11,
    })),
    scores: [62, 62, 70, 70, 78, 74, 81, 81, 84, 55].map((score, index) => ({
      at: ago((40 - index * 4) * day),
      score,
    })),
    backups: Array.from({ length: 30 }, (_, index) => ({
      at: ago((29 - index) * day + 7 * hour),
      type: 'auto' as const,
      status: index === 11 || index === 29 ? 'failed' : 'success',
      size: 1_400_000 + index * 40_000,
    })).concat({ at: ago(3 * day), type: 'manual' as never, status: 'success', size: 2_600_000 }),
    devices: [
      { name: hostileName, type: 'camera', status: 'offline', battery: null, batteryLow: false, heardAt: ago(2 * day) },
      {
        name: 'Rauchmelder Lager 3',
        type: 'smoke',
        status: 'offline',
        battery: 4,
        batteryLow: true,
        heardAt: ago(3 * hour),
      },
      { name: '服务器机房门禁', type: 'door', status: 'online', battery: 76, batteryLow: false, heardAt: ago(minute) },
    ],
  },
  hostileName,
)

/** Of one that was just set up. */
export const freshReport: Report = report(
  factsBut({
    requests: { signInFailures: 0, signInAddresses: 0, denied: 0, deniedCallers: 0 },
    directory: { records: 1, pending: 0, comparedAt: ago(minute) },
    runs: [],
    devices: { total: 0 },
    backups: { newest: null, proven: 0 },
    people: { administrators: 1, withoutFactor: 1, withoutFactorNames: ['admin'], sessions: 1 },
    chain: { checked: 3, head: { seq: 3, hash: '4f1c22ab.XeM0q1n8b7gY5cU2o9vKfJ3sD6hT4wLzPaRiEuQyNkB' } },
    settings: {
      directory: 'embedded',
      sources: [],
      generatedSecret: true,
      logKeyMissing: true,
      smtpMissing: true,
      embeddedDatabase: true,
      backupKeyMissing: true,
    },
  }),
  {
    alerts: lastDays((daysAgo) => ({ day: dayOf(daysAgo), info: 0, warning: 0, danger: 0 })),
    signIns: lastDays((daysAgo) => ({ day: dayOf(daysAgo), signedIn: daysAgo === 0 ? 1 : 0, failed: 0 })),
    scores: [],
    backups: [],
    devices: [],
  },
  'admin',
)
