import type { OperationsHandlers } from '../generated/operations.ts'
import { type BackupFilesOptions, backupFilesHandlers } from './backup-files.ts'
import { type DevicesOptions, devicesHandlers } from './devices.ts'
import { type FactorsOptions, factorsHandlers } from './factors.ts'
import { type HealthOptions, healthHandlers } from './health.ts'
import { type ReportPagesOptions, reportPagesHandlers } from './report-pages.ts'
import { type RunsOptions, runsHandlers } from './runs.ts'
import { scheduleStates } from './schedule-states.ts'
import { type SessionsOptions, sessionsHandlers } from './sessions.ts'
import { type SourcesOptions, sourcesHandlers } from './sources.ts'
import { type StepUpOptions, stepUpHandlers } from './step-up.ts'

export interface OperationsOptions
  extends RunsOptions,
    SourcesOptions,
    BackupFilesOptions,
    DevicesOptions,
    FactorsOptions,
    HealthOptions,
    ReportPagesOptions,
    StepUpOptions,
    SessionsOptions {
  sync: RunsOptions['sync'] & SourcesOptions['sync']
}

export const operationsHandlers = (options: OperationsOptions): OperationsHandlers => ({
  runs: runsHandlers(options),
  sources: sourcesHandlers(options),
  devices: devicesHandlers(options),
  backupFiles: backupFilesHandlers(options),
  secondFactor: factorsHandlers(options),
  stepUp: stepUpHandlers(options),
  sessions: sessionsHandlers(options),
  health: healthHandlers(options),
  reportPages: reportPagesHandlers(options),
  schedules: { listSchedules: () => scheduleStates(options) },
})
