import { type AlertSearchOptions, alertSearchHandlers } from '../alerts/alert-search-handlers.ts'
import { type OperationLogSearchOptions, operationLogSearchHandlers } from '../audit/log-search-handlers.ts'
import { type ConsoleOptions, consoleHandlers } from '../auth/console-handlers.ts'
import { type FactorsOptions, factorsHandlers } from '../auth/second-factor-handlers.ts'
import { type SessionsOptions, sessionsHandlers } from '../auth/session-handlers.ts'
import { type StepUpOptions, stepUpHandlers } from '../auth/step-up-handlers.ts'
import { type BackupFilesOptions, backupFilesHandlers } from '../backups/backup-file-handlers.ts'
import { type DeviceRegistrationOptions, deviceRegistrationHandlers } from '../devices/device-registration-handlers.ts'
import { type HeartbeatOptions, heartbeatHandlers } from '../devices/heartbeat-handlers.ts'
import { catalogueHandlers } from '../diet/catalogue/catalogue-handlers.ts'
import { type PlannerOptions, plannerHandlers } from '../diet/planner/planner-handlers.ts'
import type { OperationsHandlers } from '../generated/operations.ts'
import { type LiveHandlersOptions, noticesHandlers, progressHandlers } from '../live/live-handlers.ts'
import { type OrphansOptions, orphansHandlers } from '../mirror/orphan-handlers.ts'
import { type AccountsOptions, accountsHandlers } from '../people/accounts.ts'
import { type AttributesOptions, attributesHandlers } from '../people/attributes/attribute-handlers.ts'
import { type DepartmentsOptions, departmentsHandlers } from '../people/department-handlers.ts'
import { type MeOptions, meHandlers } from '../people/me.ts'
import { type PeopleOptions, peopleHandlers } from '../people/people-handlers.ts'
import { type PermissionsOptions, permissionsHandlers } from '../people/permission-handlers.ts'
import { type HealthOptions, healthHandlers } from '../posture/health-handlers.ts'
import { type OverviewOptions, overviewHandlers } from '../posture/overview-handlers.ts'
import { type ReportPagesOptions, reportPagesHandlers } from '../posture/report-page-handlers.ts'
import { type RunsOptions, runsHandlers } from '../sync/run-handlers.ts'
import { scheduleStates } from '../sync/schedule-states.ts'
import { type SourcesOptions, sourcesHandlers } from '../sync/source-handlers.ts'

export interface OperationsOptions
  extends AlertSearchOptions,
    RunsOptions,
    ConsoleOptions,
    MeOptions,
    AccountsOptions,
    AttributesOptions,
    SourcesOptions,
    BackupFilesOptions,
    DeviceRegistrationOptions,
    HeartbeatOptions,
    DepartmentsOptions,
    FactorsOptions,
    HealthOptions,
    LiveHandlersOptions,
    OperationLogSearchOptions,
    OverviewOptions,
    OrphansOptions,
    PeopleOptions,
    PermissionsOptions,
    PlannerOptions,
    ReportPagesOptions,
    StepUpOptions,
    SessionsOptions {
  importer: RunsOptions['importer'] & SourcesOptions['importer']
  reconciler: PeopleOptions['reconciler'] & AttributesOptions['reconciler']
  operationLog: OperationLogSearchOptions['operationLog'] & HealthOptions['operationLog']
  config: AttributesOptions['config'] &
    PeopleOptions['config'] &
    SourcesOptions['config'] &
    OverviewOptions['config'] &
    PlannerOptions['config']
  principals: ConsoleOptions['principals']
  consoleSessions: ConsoleOptions['consoleSessions']
  outbox: HeartbeatOptions['outbox']
  purposeCodes: ConsoleOptions['purposeCodes']
}

export const operationsHandlers = (options: OperationsOptions): OperationsHandlers => ({
  alerts: alertSearchHandlers(options),
  runs: runsHandlers(options),
  sources: sourcesHandlers(options),
  devices: { ...deviceRegistrationHandlers(options), ...heartbeatHandlers(options) },
  people: peopleHandlers(options),
  attributes: attributesHandlers(options),
  departments: departmentsHandlers(options),
  permissions: permissionsHandlers(options),
  backupFiles: backupFilesHandlers(options),
  secondFactor: factorsHandlers(options),
  stepUp: stepUpHandlers(options),
  sessions: sessionsHandlers(options),
  console: consoleHandlers(options),
  me: meHandlers(options),
  accounts: accountsHandlers(options),
  health: healthHandlers(options),
  orphans: orphansHandlers(options),
  reportPages: reportPagesHandlers(options),
  operationLog: operationLogSearchHandlers(options),
  progress: progressHandlers(options),
  notices: noticesHandlers(options),
  overview: overviewHandlers(options),
  catalogue: catalogueHandlers(),
  planner: plannerHandlers(options),
  schedules: { listSchedules: () => scheduleStates(options) },
})
