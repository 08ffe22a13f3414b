// The room people.
// People and departments: their fields, records, lists and changes.
// It never imports people from elsewhere: that is the room sync.

import type { Access } from '../access/open-access.ts'
import type { Alerting } from '../alerts/open-alerting.ts'
import type { Auth } from '../auth/open-auth.ts'
import type { Background } from '../concurrency/background.ts'
import type { ContractDocument } from '../contract/document.ts'
import type { Db } from '../db/client.ts'
import type { Reading } from '../db/replica.ts'
import type { Mail } from '../mail/open-mail.ts'
import type { DirectorySettings } from '../mirror/entry/directory-settings.ts'
import type { Mirror } from '../mirror/open-mirror.ts'
import { mobileKeys, type Region } from '../text/identity-keys.ts'
import { accountsHandlers } from './accounts.ts'
import { attributesHandlers } from './attributes/attribute-handlers.ts'
import { departmentsHandlers } from './department-handlers.ts'
import { groupsHandlers } from './group-handlers.ts'
import { meHandlers } from './me.ts'
import { peopleHandlers } from './people-handlers.ts'
import { permissionsHandlers } from './permission-handlers.ts'
import { usersHandlers } from './user-handlers.ts'

export interface PeopleRoomOptions {
  db: Db
  /** Of lists. */
  reading: Reading
  access: Pick<Access, 'principals'>
  auth: Pick<Auth, 'passwords' | 'throttle' | 'consoleSessions' | 'mailCodes'>
  mirror: Pick<Mirror, 'reconciler'>
  alerting: Pick<Alerting, 'outbox'>
  mail: Mail
  background: Background
  /** Those that are served. */
  documents: readonly ContractDocument[]
  config: Pick<DirectorySettings, 'groupClass' | 'posix'> & {
    /** DEFAULT_REGION */
    defaultRegion: Region
    /** SESSION_MAX, milliseconds. */
    sessionMax: number
    /** PUBLIC_URL */
    publicUrl: string | null
  }
}

export type People = ReturnType<typeof openPeople>

/** What can be done with people and departments. It runs nothing by itself. */
export const openPeople = (options: PeopleRoomOptions) => {
  const { db, reading, access, auth, mirror, alerting, mail, background, documents, config } = options
  const { passwords, throttle, consoleSessions, mailCodes } = auth
  const { sessionMax, publicUrl, defaultRegion } = config
  const mobileKey = mobileKeys(defaultRegion)
  const shared = {
    ...{ db, reading, principals: access.principals, reconciler: mirror.reconciler, outbox: alerting.outbox },
    ...{ passwords, throttle, consoleSessions, mailCodes, mail, background },
    ...{ mobileKey, documents, config, sessionMax, publicUrl },
  }
  return {
    /** What makes two mobiles one. */
    mobileKey,
    handlers: {
      users: usersHandlers(shared),
      groups: groupsHandlers(shared),
      people: peopleHandlers(shared),
      attributes: attributesHandlers(shared),
      departments: departmentsHandlers(shared),
      permissions: permissionsHandlers(shared),
      accounts: accountsHandlers(shared),
      me: meHandlers(shared),
    },
  }
}
