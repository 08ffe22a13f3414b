import { type FactorsOptions, factorsHandlers } from '../auth/second-factor-handlers.ts'
import { type SessionsOptions, sessionsHandlers } from '../auth/session-handlers.ts'
import { type StepUpOptions, stepUpHandlers } from '../auth/step-up-handlers.ts'
import { type BackupFilesOptions, backupFilesHandlers } from '../backups/backup-file-handlers.ts'
import { type DeviceRegistrationOptions, deviceRegistrationHandlers } from '../devices/device-registration-handlers.ts'
import { type HeartbeatOptions, heartbeatHandlers } from '../devices/heartbeat-handlers.ts'
import type { OperationsHandlers } from '../generated/operations.ts'
import { type OrphansOptions, orphansHandlers } from '../mirror/orphan-handlers.ts'
import { type DepartmentsOptions, departmentsHandlers } from '../people/department-handlers.ts'
import { type PeopleOptions, peopleHandlers } from '../people/people-handlers.ts'
import { type PermissionsOptions, permissionsHandlers } from '../people/permission-handlers.ts'
import { type HealthOptions, healthHandlers } from '../posture/health-handlers.ts'
import { type ReportPagesOptions, reportPagesHandlers } from '../posture/report-page-handlers.ts'
import { type RunsOptions, runsHandlers } from '../sync/run-handlers.ts'
import { scheduleStates } from '../sync/schedule-states.ts'
import { type SourcesOptions, sourcesHandlers } from '../sync/source-handlers.ts'

export interface OperationsOptions
  extends RunsOptions,
    SourcesOptions,
    BackupFilesOptions,
    DeviceRegistrationOptions,
    HeartbeatOptions,
    DepartmentsOptions,
    FactorsOptions,
    HealthOptions,
    OrphansOptions,
    PeopleOptions,
    PermissionsOptions,
    ReportPagesOptions,
    StepUpOptions,
    SessionsOptions {
  importer: RunsOptions['importer'] & SourcesOptions['importer']
  reconciler: PeopleOptions['reconciler']
}

export const operationsHandlers = (options: OperationsOptions): OperationsHandlers => ({
  runs: runsHandlers(options),
  sources: sourcesHandlers(options),
  devices: { ...deviceRegistrationHandlers(options), ...heartbeatHandlers(options) },
  people: peopleHandlers(options),
  departments: departmentsHandlers(options),
  permissions: permissionsHandlers(options),
  backupFiles: backupFilesHandlers(options),
  secondFactor: factorsHandlers(options),
  stepUp: stepUpHandlers(options),
  sessions: sessionsHandlers(options),
  health: healthHandlers(options),
  orphans: orphansHandlers(options),
  reportPages: reportPagesHandlers(options),
  schedules: { listSchedules: () => scheduleStates(options) },
})
