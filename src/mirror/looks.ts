import type { Alerting, Look } from '../alerts/open-alerting.ts'
import type { Db } from '../db/client.ts'
import type { Logger } from '../log.ts'
import { tellForeignPasswords } from './foreign-passwords.ts'
import { tellHeldRemovals } from './held-removals.ts'
import { tellLateWithdrawals } from './late-withdrawals.ts'
import type { Mirror } from './open-mirror.ts'
import { tellOtherServer } from './other-server.ts'

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
