import { and, eq, type SQL } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { instantText, jsonObject, written } from '../db/json-record.ts'
import { contains } from '../db/like.ts'
import type { Page } from '../db/paging.ts'
import { listRecords, streamRecords } from '../db/record-lists.ts'
import { versionOf } from '../db/record-versions.ts'
import { roles } from '../db/schema.ts'
import type { components } from '../generated/directory.types.ts'

export type RoleRecord = components['schemas']['Role']

/** An empty text filters nothing. */
export interface RoleFilter {
  name?: string
  keyword?: string
  status?: number
}

const record = written(
  jsonObject<RoleRecord>({
    id: roles.id,
    name: roles.name,
    keyword: roles.keyword,
    remark: roles.remark,
    sort: roles.sort,
    status: roles.status,
    creator: roles.creator,
    createdAt: instantText(roles.createdAt),
    updatedAt: instantText(roles.updatedAt),
    version: versionOf('role'),
  }),
)

const passing = ({ name, keyword, status }: RoleFilter): SQL | undefined =>
  and(
    name ? contains(roles.name, name) : undefined,
    keyword ? contains(roles.keyword, keyword) : undefined,
    status === undefined ? undefined : eq(roles.status, status),
  )

/** Reads roles in the shape of the contract. */
export const roleRecords = (db: Db) => ({
  /** A page of those that pass the filter, newest first, and how many there are on all pages. */
  async page(filter: RoleFilter, page: Page): Promise<{ total: number; roles: RoleRecord[] }> {
    const { total, records } = await listRecords(db, roles, { record, wanted: passing(filter), page })
    return { total, roles: records }
  },

  /** All that pass the filter, newest first, in batches. */
  stream: (filter: RoleFilter) => streamRecords<RoleRecord>(db, roles, { record, wanted: passing(filter) }),

  /** null: the role does not exist. */
  async keyword(id: number): Promise<string | null> {
    const [row] = await db.select({ keyword: roles.keyword }).from(roles).where(eq(roles.id, id))
    return row?.keyword ?? null
  },
})
