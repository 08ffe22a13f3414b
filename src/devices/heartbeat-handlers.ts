import type { Outbox } from '../alerts/notifications/outbox.ts'
import type { Db } from '../db/client.ts'
import type { DevicesHandlers } from '../generated/operations.ts'
import { deviceTokenHash } from './device-token.ts'
import { takeHeartbeat } from './heartbeat.ts'
import { reasons } from './reasons.ts'

export interface HeartbeatOptions {
  db: Db
  outbox: Outbox
}

/** The operation of the devices themselves. */
export const heartbeatHandlers = ({ db, outbox }: HeartbeatOptions): Pick<DevicesHandlers, 'sendHeartbeat'> => ({
  async sendHeartbeat({ body, request }) {
    const { token } = request
    const heard = token === null ? null : await takeHeartbeat({ db, outbox }, deviceTokenHash(token), body)
    if (heard === null) throw reasons.unknown_token()
    return heard
  },
})
