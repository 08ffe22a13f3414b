import type { Outbox } from '../alerts/notifications/outbox.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/client.ts'
import { markSilentDevices } from '../devices/silence.ts'
import type { Logger } from '../log.ts'
import { tellForeignPasswords } from '../mirror/foreign-passwords.ts'
import { tellLateWithdrawals } from '../mirror/late-withdrawals.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { tellOtherServer } from '../mirror/other-server.ts'

export interface LooksOptions {
  db: Db
  outbox: Outbox
  config: Pick<Config, 'deviceTimeout' | 'ldap'>
  servers: Mirror['servers']
  log: Logger
}

/** What alerting looks for besides what is overdue. */
export const regularLooks = ({ db, outbox, config, servers, log }: LooksOptions): (() => Promise<void>)[] => [
  () => markSilentDevices({ db, outbox, timeout: config.deviceTimeout }),
  ...(config.ldap === null
    ? []
    : [tellLateWithdrawals, tellForeignPasswords].map((tell) => () => tell({ db, outbox, log }))),
  async () => {
    const used = servers()
    if (used !== null) await tellOtherServer({ db, outbox }, used)
  },
]
