import { type ExplainOptions, explainGrants } from '../access/explain-grant.ts'
import { requireExisting } from '../db/existing.ts'
import { only } from '../db/request-fields.ts'
import type { PermissionsHandlers } from '../generated/operations.ts'
import { peopleRecords } from './people-records.ts'

export type PermissionsOptions = ExplainOptions

/** Who may do what, and why. */
export const permissionsHandlers = (options: PermissionsOptions): PermissionsHandlers => {
  const { db } = options
  const people = peopleRecords(db)
  const explain = explainGrants(options)

  return {
    explainGrant: ({ params: { id }, query: { operation } }) => explain(id, operation),

    async listRoleHolders({ params: { id }, query: { q, ...query }, user }) {
      await db.transaction((tx) => requireExisting(tx, 'role', [id], only('id')))
      return people.page({ role: id, ...(q !== undefined && { q }) }, query, user.rank)
    },

    async listApiHolders({ params: { id }, query: { q, ...query }, user }) {
      await db.transaction((tx) => requireExisting(tx, 'API entry', [id], only('id')))
      return people.page({ api: id, ...(q !== undefined && { q }) }, query, user.rank)
    },
  }
}
