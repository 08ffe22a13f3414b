// The room services.
// Accounts that applications bind to the directory with: their rights, their passwords, and the rules for OpenLDAP.
// It never stores a password, and never writes to the directory: the room mirror does.

import type { Auth } from '../auth/open-auth.ts'
import type { Db } from '../db/client.ts'
import type { Mirror } from '../mirror/open-mirror.ts'
import { serviceAccountsHandlers } from './account-handlers.ts'

export interface ServicesRoomOptions {
  db: Db
  auth: Pick<Auth, 'passwords'>
  mirror: Pick<Mirror, 'reconciler' | 'address'>
}

export type Services = ReturnType<typeof openServices>

/** It runs nothing by itself. */
export const openServices = ({ db, auth, mirror }: ServicesRoomOptions) => {
  const { reconciler, address } = mirror
  return {
    handlers: { serviceAccounts: serviceAccountsHandlers({ db, reconciler, address, seal: auth.passwords.seal }) },
  }
}
