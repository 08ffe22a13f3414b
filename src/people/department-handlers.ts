import { changeFor } from '../access/committed.ts'
import type { Principals } from '../access/principals.ts'
import type { Db } from '../db/client.ts'
import { requireFound } from '../db/existing.ts'
import type { Reading } from '../db/replica.ts'
import type { DepartmentsHandlers } from '../generated/operations.ts'
import { retried } from '../mirror/ledger/entry-states.ts'
import { mirroredChange } from '../mirror/mirrored.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import { listed, searchedAmong, seenAttributes, withAttributes } from './attributes/find.ts'
import { readValues, writeGroupValues } from './attributes/value-handlers.ts'
import { departmentRecords } from './department-records.ts'
import { moveDepartment } from './move-department.ts'
import { peopleRecords } from './people-records.ts'
import { groupPosixHandlers, type PosixOptions } from './posix-handlers.ts'
import { isShort } from './short-search.ts'

export interface DepartmentsOptions extends PosixOptions {
  db: Db
  /** Of lists. */
  reading: Reading
  reconciler: Pick<Reconciler, 'earlyClaim' | 'settle' | 'synchronize'>
  principals: Principals
}

/** Departments and groups as a tree, read one level at a time, and their members. */
export const departmentsHandlers = (options: DepartmentsOptions): DepartmentsHandlers => {
  const { db, reading } = options
  const departments = departmentRecords(db)
  const change = mirroredChange(options)

  return {
    listDepartments: ({ query, user }) =>
      reading(async (at) => {
        const seen = await seenAttributes(at, 'group', user)
        const list = await departmentRecords(at).page(withAttributes(seen, query), user.rank)
        return { ...list, attributes: listed(seen) }
      }),
    getDepartment: ({ params: { id }, user }) => departments.one(id, user.rank),
    getDepartmentPath: ({ params: { id } }) => departments.path(id),
    moveDepartment: moveDepartment(options),
    ...groupPosixHandlers(options),
    getDepartmentAttributes: ({ params: { id }, user }) => readValues(db, 'group', id, { user, whose: 'others' }),
    setDepartmentAttributes: ({ params: { id }, body, user }) =>
      change(user, (tx) => writeGroupValues(tx, id, body, user)),

    listMembers: ({ params: { id }, query: { member, q, ...query }, user }) =>
      reading(async (at) => {
        await requireFound(at, 'group', id, 'id')
        const filter = { department: id, ...(member !== undefined && { member }), ...(q !== undefined && { q }) }
        const seen = q === undefined || isShort(q) ? { seen: [] } : await seenAttributes(at, 'user', user)
        return peopleRecords(at).page({ ...filter, ...searchedAmong(seen) }, query, user.rank)
      }),

    async retryDepartment({ params: { id }, user }) {
      await changeFor(db, user, (tx) => requireFound(tx, 'group', id, 'id'))
      return retried(options, 'group', id)
    },
  }
}
