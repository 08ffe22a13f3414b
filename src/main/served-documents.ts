import type { Access } from '../access/open-access.ts'
import type { Alerting } from '../alerts/open-alerting.ts'
import type { Audit } from '../audit/open-audit.ts'
import type { Auth } from '../auth/open-auth.ts'
import type { Backups } from '../backups/backups.ts'
import { type Mounted, mounted } from '../contract/mount.ts'
import type { Devices } from '../devices/open-devices.ts'
import type { Diet } from '../diet/open-diet.ts'
import { dietDocument } from '../generated/diet.ts'
import { directoryDocument } from '../generated/directory.ts'
import { operationsDocument } from '../generated/operations.ts'
import { securityDocument } from '../generated/security.ts'
import type { Live } from '../live/open-live.ts'
import type { Mirror } from '../mirror/open-mirror.ts'
import type { People } from '../people/open-people.ts'
import type { Posture } from '../posture/open-posture.ts'
import type { Services } from '../services/open-services.ts'
import type { Sync } from '../sync/open-sync.ts'

export interface Rooms {
  access: Access
  alerting: Alerting
  audit: Audit
  auth: Auth
  backups: Backups
  devices: Devices
  diet: Diet
  live: Live
  mirror: Mirror
  people: People
  posture: Posture
  services: Services
  sync: Sync
}

/** The four documents: which room serves which tag. */
export const servedDocuments = (rooms: Rooms): Mounted[] => {
  const { access, alerting, audit, auth, backups, devices, diet, live, mirror, people, posture, services, sync } = rooms
  return [
    mounted(directoryDocument, {
      base: { ...auth.handlers.base, dashboard: posture.dashboard },
      users: { ...people.handlers.users, ...sync.handlers.ofUsers },
      groups: { ...people.handlers.groups, ...sync.handlers.ofGroups },
      roles: access.handlers.roles,
      menus: access.handlers.menus,
      apis: access.handlers.apis,
      fieldRelations: sync.handlers.fieldRelations,
      operationLogs: audit.handlers.operationLogs,
    }),
    mounted(operationsDocument, {
      people: people.handlers.people,
      attributes: people.handlers.attributes,
      departments: people.handlers.departments,
      permissions: people.handlers.permissions,
      accounts: people.handlers.accounts,
      me: people.handlers.me,
      console: auth.handlers.console,
      secondFactor: auth.handlers.secondFactor,
      stepUp: auth.handlers.stepUp,
      sessions: auth.handlers.sessions,
      sources: sync.handlers.sources,
      runs: sync.handlers.runs,
      schedules: sync.handlers.schedules,
      orphans: mirror.handlers.orphans,
      operationLog: audit.handlers.search,
      alerts: alerting.handlers.search,
      serviceAccounts: services.handlers.serviceAccounts,
      devices: devices.handlers.devices,
      backupFiles: backups.handlers.files,
      overview: posture.handlers.overview,
      health: posture.handlers.health,
      reportPages: posture.handlers.reportPages,
      progress: live.handlers.progress,
      notices: live.handlers.notices,
      catalogue: diet.handlers.catalogue,
      planner: diet.handlers.planner,
    }),
    mounted(securityDocument, {
      status: posture.handlers.status,
      alerts: alerting.handlers.alerts,
      devices: devices.handlers.status,
      backups: backups.handlers.backups,
      emergencies: posture.handlers.emergencies,
      reports: posture.handlers.reports,
    }),
    mounted(dietDocument, diet.handlers.diet),
  ]
}
