import { alertsHandlers } from '../alerts/alert-handlers.ts'
import type { LogKeys } from '../audit/keys.ts'
import { type BackupsOptions, backupsHandlers } from '../backups/backup-handlers.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/client.ts'
import { deviceStatusHandlers } from '../devices/device-status-handlers.ts'
import type { SecurityHandlers } from '../generated/security.ts'
import { type EmergenciesOptions, emergenciesHandlers } from '../posture/emergency-handlers.ts'
import { type GatherOptions, gatherFacts } from '../posture/evidence/gather.ts'
import { settingsOf } from '../posture/evidence/settings.ts'
import { reportsHandlers } from '../posture/report-handlers.ts'
import { statusHandlers } from '../posture/status-handlers.ts'

export interface SecurityOptions {
  db: Db
  backups: BackupsOptions['backups']
  outbox: EmergenciesOptions['outbox']
  /** The keys that check the operation log. */
  keys: LogKeys
  operationLog: GatherOptions['operationLog']
  /** 32 bytes; signs the addresses of reports. */
  reportKey: Buffer
  config: Config
}

/** The operations of the security center. */
export const securityHandlers = ({
  db,
  backups,
  outbox,
  keys,
  operationLog,
  reportKey,
  config,
}: SecurityOptions): SecurityHandlers => {
  const { timeZone, deviceTimeout } = config
  const settings = settingsOf(config)
  const gather = () => gatherFacts({ db, keys, operationLog, settings, deviceTimeout })
  const shared = { db, timeZone, gather }
  return {
    status: statusHandlers(shared),
    alerts: alertsHandlers(shared),
    devices: deviceStatusHandlers(shared),
    backups: backupsHandlers({ ...shared, backups }),
    emergencies: emergenciesHandlers({ ...shared, outbox }),
    reports: reportsHandlers({ ...shared, reportKey, config }),
  }
}
