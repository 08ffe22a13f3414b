import { alertsHandlers } from '../alerts/alert-handlers.ts'
import { type BackupsOptions, backupsHandlers } from '../backups/backup-handlers.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/client.ts'
import { deviceStatusHandlers } from '../devices/device-status-handlers.ts'
import type { SecurityHandlers } from '../generated/security.ts'
import { type EmergenciesOptions, emergenciesHandlers } from '../posture/emergency-handlers.ts'
import type { Facts } from '../posture/evidence/facts.ts'
import { reportsHandlers } from '../posture/report-handlers.ts'
import { type StatusOptions, statusHandlers } from '../posture/status-handlers.ts'

export interface SecurityOptions {
  db: Db
  backups: BackupsOptions['backups']
  outbox: EmergenciesOptions['outbox']
  /** The present facts. */
  gather: () => Promise<Facts>
  tasks: StatusOptions['tasks']
  /** 32 bytes; signs the addresses of reports. */
  reportKey: Buffer
  config: Config
}

/** The operations of the security center. */
export const securityHandlers = ({
  db,
  backups,
  outbox,
  gather,
  tasks,
  reportKey,
  config,
}: SecurityOptions): SecurityHandlers => {
  const { timeZone } = config
  const shared = { db, timeZone, gather }
  return {
    status: statusHandlers({ ...shared, tasks }),
    alerts: alertsHandlers(shared),
    devices: deviceStatusHandlers(shared),
    backups: backupsHandlers({ ...shared, backups }),
    emergencies: emergenciesHandlers({ ...shared, outbox }),
    reports: reportsHandlers({ ...shared, reportKey, config }),
  }
}
