import { alertOf } from '../../alerts/alert.ts'
import type { Outbox } from '../../alerts/notifications/outbox.ts'
import { closeAlert, raiseAlerts } from '../../alerts/raise-alerts.ts'
import type { Db } from '../../db/client.ts'

/** Longer than the time between two looks, so that an instance does not close the alert of another one. Seconds. */
const silentFor = 180

/** Raises an alert while another server of LDAP_URL is used than the first, and closes it after that. */
export const tellOtherServer = async (
  { db, outbox }: { db: Db; outbox: Outbox },
  { preferred, current }: { preferred: string; current: string },
): Promise<void> => {
  if (current === preferred) return closeAlert(db, 'otherServer', {}, { silentFor })
  await db.transaction((tx) => raiseAlerts(tx, outbox, [alertOf('otherServer', { preferred, current })]))
}
