import type { Alerting, Look } from '../alerts/open-alerting.ts'
import type { Db } from '../db/client.ts'
import type { Logger } from '../runtime/log.ts'
import { tellHeldRemovals } from './comparison/held-removals.ts'
import { tellLateWithdrawals } from './comparison/late-withdrawals.ts'
import { tellOtherServer } from './directory/other-server.ts'
import type { Mirror } from './open-mirror.ts'
import { tellForeignPasswords } from './passwords/foreign-passwords.ts'

export interface LooksOptions {
  db: Db
  alerting: Pick<Alerting, 'outbox'>
  mirror: Pick<Mirror, 'servers'>
  log: Logger
}

/** What no request reports of the directory. */
export const directoryLooks = ({ db, alerting: { outbox }, mirror, log }: LooksOptions): Look[] => {
  if (mirror.servers() === null) return []
  const lookAtServers: Look = async () => {
    const used = mirror.servers()
    if (used !== null) await tellOtherServer({ db, outbox }, used)
  }
  const standing = [tellLateWithdrawals, tellForeignPasswords, tellHeldRemovals]
  return [...standing.map((tell) => () => tell({ db, outbox, log })), lookAtServers]
}
