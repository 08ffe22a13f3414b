import { type ExplainOptions, explainGrants } from '../access/explain-grant.ts'
import { requireFound } from '../db/existing.ts'
import type { Reading } from '../db/replica.ts'
import type { PermissionsHandlers } from '../generated/operations.ts'
import { peopleRecords } from './people-records.ts'

export interface PermissionsOptions extends ExplainOptions {
  /** Of lists. */
  reading: Reading
}

/** Who may do what, and why. */
export const permissionsHandlers = (options: PermissionsOptions): PermissionsHandlers => {
  const { reading } = options
  const explain = explainGrants(options)

  return {
    explainGrant: ({ params: { id }, query: { operation } }) => explain(id, operation),

    listRoleHolders: ({ params: { id }, query: { q, ...query }, user }) =>
      reading(async (at) => {
        await requireFound(at, 'role', id, 'id')
        return peopleRecords(at).page({ role: id, ...(q !== undefined && { q }) }, query, user.rank)
      }),

    listApiHolders: ({ params: { id }, query: { q, ...query }, user }) =>
      reading(async (at) => {
        await requireFound(at, 'API entry', id, 'id')
        return peopleRecords(at).page({ api: id, ...(q !== undefined && { q }) }, query, user.rank)
      }),
  }
}
