// The room devices.
// Devices: registration, heartbeats, silence.
// It never accepts a token of a person.

import type { Alerting, Look } from '../alerts/open-alerting.ts'
import type { Db } from '../db/client.ts'
import { deviceRegistrationHandlers } from './device-registration-handlers.ts'
import { deviceStatusHandlers } from './device-status-handlers.ts'
import { heartbeatHandlers } from './heartbeat-handlers.ts'
import { markSilentDevices } from './silence.ts'

export interface DevicesOptions {
  db: Db
  alerting: Pick<Alerting, 'outbox'>
  config: {
    /** DEVICE_TIMEOUT, milliseconds. */
    deviceTimeout: number
    timeZone: string
  }
}

export type Devices = ReturnType<typeof openDevices>

/** Devices under observation. */
export const openDevices = ({ db, alerting: { outbox }, config }: DevicesOptions) => {
  const { deviceTimeout: timeout, timeZone } = config
  const lookForSilence: Look = () => markSilentDevices({ db, outbox, timeout })
  return {
    looks: [lookForSilence],
    handlers: {
      devices: { ...deviceRegistrationHandlers({ db }), ...heartbeatHandlers({ db, outbox }) },
      status: deviceStatusHandlers({ db, timeZone }),
    },
  }
}
