import type { Config } from '../config.ts'
import type { Db } from '../db/client.ts'
import type { LogKeys } from '../directory/operation-log/keys.ts'
import type { SecurityHandlers } from '../generated/security.ts'
import { alertsHandlers } from './alerts.ts'
import { type BackupsOptions, backupsHandlers } from './backups.ts'
import { devicesHandlers } from './devices.ts'
import { type EmergenciesOptions, emergenciesHandlers } from './emergencies.ts'
import { gatherFacts } from './evidence/gather.ts'
import { settingsOf } from './evidence/settings.ts'
import { reportsHandlers } from './reports.ts'
import { statusHandlers } from './status.ts'

export interface SecurityOptions {
  db: Db
  backups: BackupsOptions['backups']
  outbox: EmergenciesOptions['outbox']
  /** Check the operation log. */
  keys: LogKeys
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
  reportKey,
  config,
}: SecurityOptions): SecurityHandlers => {
  const { timeZone, deviceTimeout } = config
  const settings = settingsOf(config)
  const gather = () => gatherFacts({ db, keys, settings, deviceTimeout })
  const shared = { db, timeZone, gather }
  return {
    status: statusHandlers(shared),
    alerts: alertsHandlers(shared),
    devices: devicesHandlers(shared),
    backups: backupsHandlers({ ...shared, backups }),
    emergencies: emergenciesHandlers({ ...shared, outbox }),
    reports: reportsHandlers({ ...shared, reportKey, config }),
  }
}
