import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { PoolFigures } from '../db/driver-client.ts'
import { fallbackReasons, type StandbyReads } from '../db/replica.ts'
import type { DirectoryPool } from '../ldap/session.ts'
import type { Figures } from './figures.ts'

/** A request that was answered. */
export interface Answered {
  /** The id of the operation; empty: the request was for none. */
  operation: string
  /** Of the envelope. */
  code: number
  seconds: number
}

/** What is measured, and its present state in Prometheus' text format. */
export interface Instruments {
  answered(request: Answered): void
  /** @param figures null: the database does not answer */
  show(figures: Figures | null, reading: Reading): void
  text(): Promise<string>
  contentType: string
}

/** What the connections of this process do. */
export interface Pools {
  database: PoolFigures[]
  /** By the number of the directory. */
  directories: (DirectoryPool & { directory: number })[]
}

/** What this process knows by itself. */
export interface Reading {
  /** Seconds that the database took for the figures. */
  databaseSeconds: number
  /** Entries that are not in the operation log yet. */
  logWaiting: number
  pools: Pools
  /** null: there is no standby that is read from. */
  standbyReads: StandbyReads | null
  version: string
}

/** Seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Those of one instance: a process may hold several. */
export const openInstruments = (): Instruments => {
  const registers = [new Registry()]
  const [register] = registers as [Registry]
  // Memory, CPU, garbage collection and the lag of the event loop, under the names that Node.js dashboards know.
  collectDefaultMetrics({ register })

  const requests = new Counter({
    name: 'steward_http_requests_total',
    help: 'Requests answered, by operation and code of the envelope',
    labelNames: ['operation', 'code'] as const,
    registers,
  })
  const durations = new Histogram({
    name: 'steward_http_request_duration_seconds',
    help: 'From a request to its answer',
    labelNames: ['operation'] as const,
    buckets,
    registers,
  })
  const gauge = (name: string, help: string): Gauge => new Gauge({ name: `steward_${name}`, help, registers })
  const gauges = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> =>
    new Gauge({ name: `steward_${name}`, help, labelNames, registers })

  const info = gauges('build_info', 'Always 1', 'version')
  const up = gauge('database_up', '1: the database answers; 0: it does not, and what it tells is absent')
  const databaseSeconds = gauge(
    'database_seconds',
    'What the database took for these figures, with the wait for a connection',
  )
  const logWaiting = gauge(
    'operation_log_waiting_entries',
    'Entries of this process that are not in the operation log yet',
  )
  const waiting = gauges('directory_waiting_records', 'Changed records that are not in the directory yet', 'directory')
  const refused = gauges(
    'directory_refused_records',
    'Records that are not tried soon, most because the directory refused them',
    'directory',
  )
  const oldest = gauges(
    'directory_oldest_change_seconds',
    'How long the oldest change has waited for the directory',
    'directory',
  )
  const lastRun = gauges(
    'run_last_success_timestamp_seconds',
    'When the last run of a source and kind ended as it should',
    'source',
    'kind',
  )
  const runs = gauges('runs', 'Runs that are under way, or held until an administrator decides', 'state')
  const backup = gauge('backup_last_success_timestamp_seconds', 'When the last backup that succeeded ended')
  const open = gauges('open_alerts', 'Alerts that are not handled', 'level')
  const notifications = gauge('waiting_notifications', 'Mails and webhook calls that are not delivered yet')
  const score = gauge('security_score', 'From 0 to 100, by the last security check')

  const stream = openStreamGauges(gauge)
  const showPools = openPoolGauges(gauges)
  const showStandbyReads = openStandbyCounters(registers)

  const ofDatabase = [waiting, refused, oldest, lastRun, runs, backup, open, notifications, score]

  const showFigures = (figures: Figures): void => {
    for (const { directory, ...each } of figures.directories) {
      waiting.set({ directory }, each.waiting)
      refused.set({ directory }, each.refused)
      oldest.set({ directory }, each.oldest)
    }
    for (const { source, kind, finishedAt } of figures.runs) lastRun.set({ source, kind }, finishedAt)
    runs.set({ state: 'running' }, figures.runsRunning)
    runs.set({ state: 'held' }, figures.runsHeld)
    for (const { level, count } of figures.alerts) open.set({ level }, count)
    notifications.set(figures.notifications)
    // What never was has no time: an alert on its age would otherwise see 1970.
    if (figures.backupAt === null) backup.remove()
    else backup.set(figures.backupAt)
    if (figures.score === null) score.remove()
    else score.set(figures.score)
    stream.show(figures.logStream)
  }

  return {
    answered({ operation, code, seconds }) {
      requests.inc({ operation, code })
      durations.observe({ operation }, seconds)
    },
    show(figures, reading) {
      info.set({ version: reading.version }, 1)
      up.set(figures === null ? 0 : 1)
      databaseSeconds.set(reading.databaseSeconds)
      logWaiting.set(reading.logWaiting)
      showPools(reading.pools)
      showStandbyReads(reading.standbyReads)
      // What is gone since, such as a directory, must not stay with its last figure.
      for (const each of ofDatabase) each.reset()
      if (figures === null) {
        for (const each of [backup, notifications, score]) each.remove()
        stream.show(null)
      } else showFigures(figures)
    },
    text: () => register.metrics(),
    contentType: register.contentType,
  }
}

type Gauges = <Label extends string>(name: string, help: string, ...labelNames: Label[]) => Gauge<Label>

const openPoolGauges = (gauges: Gauges): ((pools: Pools) => void) => {
  const connections = gauges(
    'database_pool_connections',
    'Connections to PostgreSQL that may be open, by whether something is under way on them',
    'pool',
    'state',
  )
  const waiting = gauges('database_pool_waiting', 'Queries and transactions that wait for a connection', 'pool')
  const directoryConnections = gauges(
    'directory_pool_connections',
    'Open connections to a directory, by whether something is under way on them',
    'directory',
    'state',
  )
  const directoryWaiting = gauges(
    'directory_pool_waiting',
    'Requests that wait for the answers to those before them',
    'directory',
  )
  return ({ database, directories }) => {
    for (const { pool, size, used, ...each } of database) {
      connections.set({ pool, state: 'used' }, used)
      connections.set({ pool, state: 'idle' }, size - used)
      waiting.set({ pool }, each.waiting)
    }
    for (const { directory, used, idle, ...each } of directories) {
      directoryConnections.set({ directory, state: 'used' }, used)
      directoryConnections.set({ directory, state: 'idle' }, idle)
      directoryWaiting.set({ directory }, each.waiting)
    }
  }
}

/** What is counted elsewhere, since the start; both are absent without a standby. */
const openStandbyCounters = (registers: Registry[]): ((reads: StandbyReads | null) => void) => {
  const answered = new Counter({
    name: 'steward_standby_reads_total',
    help: 'Reads that the standby answered',
    registers,
  })
  const fallbacks = new Counter({
    name: 'steward_standby_fallbacks_total',
    help: 'Reads that went to the primary instead of the standby, by why',
    labelNames: ['reason'] as const,
    registers,
  })
  return (reads) => {
    answered.remove()
    fallbacks.reset()
    if (reads === null) return
    answered.inc(reads.answered)
    for (const reason of fallbackReasons) fallbacks.inc({ reason }, reads.fallbacks[reason])
  }
}

/** What waits for the syslog receiver; both are absent without one. */
const openStreamGauges = (gauge: (name: string, help: string) => Gauge) => {
  const waiting = gauge('log_stream_waiting_entries', 'Entries of the log that the syslog receiver has not taken')
  const oldest = gauge('log_stream_oldest_entry_seconds', 'The age of the oldest of them')
  return {
    show(stream: Figures['logStream']): void {
      if (stream === null) {
        for (const each of [waiting, oldest]) each.remove()
        return
      }
      waiting.set(stream.waiting)
      oldest.set(stream.oldest)
    },
  }
}
