import type { Principals } from '../access/principals.ts'
import { sessionLifetime } from '../auth/sessions.ts'
import type { Db } from '../db/client.ts'
import { requireExisting } from '../db/existing.ts'
import { only } from '../db/request-fields.ts'
import type { PeopleHandlers } from '../generated/operations.ts'
import { retried } from '../mirror/entry-states.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import { changePeople } from './change-people.ts'
import { peopleRecords } from './people-records.ts'
import { personRecord } from './person-record.ts'

export interface PeopleOptions {
  db: Db
  reconciler: Pick<Reconciler, 'settle' | 'synchronize'>
  principals: Principals
  /** SESSION_MAX, milliseconds. */
  sessionMax: number
}

/** People as a console shows and changes them. */
export const peopleHandlers = (options: PeopleOptions): PeopleHandlers => {
  const { db, sessionMax } = options
  const people = peopleRecords(db)

  return {
    listPeople: ({ query, user }) => people.page(query, query, user.rank),
    getPerson: ({ params: { id }, user }) => personRecord(db, id, user.rank, { sessionLifetime, sessionMax }),

    async retryPerson({ params: { id } }) {
      await db.transaction((tx) => requireExisting(tx, 'user', [id], only('id')))
      return retried(options, 'user', id)
    },

    changePeople: changePeople(options),
  }
}
