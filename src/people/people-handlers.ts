import { changeFor } from '../access/committed.ts'
import type { Principals } from '../access/principals.ts'
import { sessionLifetime } from '../auth/sessions.ts'
import type { Db } from '../db/client.ts'
import { requireExisting } from '../db/existing.ts'
import type { Reading } from '../db/replica.ts'
import { only } from '../db/request-fields.ts'
import type { PeopleHandlers } from '../generated/operations.ts'
import { retried } from '../mirror/ledger/entry-states.ts'
import { mirroredChange } from '../mirror/mirrored.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import { listed, seenAttributes, withAttributes } from './attributes/find.ts'
import { readValues, writePersonValues } from './attributes/value-handlers.ts'
import { changePeople } from './change-people.ts'
import { peopleRecords } from './people-records.ts'
import { personRecord } from './person-record.ts'
import { type PosixOptions, personPosixHandlers } from './posix-handlers.ts'
import { personSshKeyHandlers } from './ssh-key-handlers.ts'

export interface PeopleOptions extends PosixOptions {
  db: Db
  /** Of lists. */
  reading: Reading
  reconciler: Pick<Reconciler, 'earlyClaim' | 'settle' | 'synchronize'>
  principals: Principals
  /** SESSION_MAX, milliseconds. */
  sessionMax: number
}

/** People as a console shows and changes them. */
export const peopleHandlers = (options: PeopleOptions): PeopleHandlers => {
  const { db, reading, sessionMax } = options
  const change = mirroredChange(options)

  return {
    listPeople: ({ query, user }) =>
      reading(async (at) => {
        const seen = await seenAttributes(at, 'user', user)
        const list = await peopleRecords(at).page(withAttributes(seen, query), query, user.rank)
        return { ...list, attributes: listed(seen) }
      }),
    getPerson: ({ params: { id }, user }) => personRecord(db, id, user.rank, { sessionLifetime, sessionMax }),

    async retryPerson({ params: { id }, user }) {
      await changeFor(db, user, (tx) => requireExisting(tx, 'user', [id], only('id')))
      return retried(options, 'user', id)
    },

    changePeople: changePeople(options),
    ...personPosixHandlers(options),
    ...personSshKeyHandlers(options),

    getPersonAttributes: ({ params: { id }, user }) =>
      readValues(db, 'user', id, { user, whose: id === user.userId ? 'own' : 'others' }),
    setPersonAttributes: ({ params: { id }, body, user }) =>
      change(user, (tx) => writePersonValues(tx, id, body, user)),
  }
}
