import { sql } from 'drizzle-orm'
import type { ContractDocument } from '../contract/document.ts'
import type { Tx } from '../db/client.ts'
import { inRequestOrder } from '../db/existing.ts'
import { anyOfIds } from '../db/id-list.ts'
import { pageOf } from '../db/paging.ts'
import { requireVersion } from '../db/record-versions.ts'
import { itemOf, only } from '../db/request-fields.ts'
import { apiEntries } from '../db/schema.ts'
import type { ApisHandlers } from '../generated/directory.ts'
import { apiRecords } from './api-records.ts'
import { type CommittedOptions, changeFor, committedChange } from './committed.ts'
import { apiClashes, reasons } from './reasons.ts'
import { deleteRows, insertRow, updateRow } from './rows.ts'
import { type Caller, highestRank, rankOf } from './seniority.ts'
import { servedEntries } from './served-entries.ts'

export interface ApisOptions extends CommittedOptions {
  /** Those that are served. */
  documents: readonly ContractDocument[]
}

/** Any role may have granted the entry. */
const callers = { all: true } as const

/** API entries: the operations that roles can be granted. A method is kept in upper case, as it is on the wire. */
export const apisHandlers = (options: ApisOptions): ApisHandlers => {
  const { db, documents } = options
  const records = apiRecords(db)
  const change = committedChange(options)
  const { requireSameOperation, requireNoneServed } = servedEntries(documents)

  return {
    async addApi({ body, user }) {
      const row = { ...body, method: body.method.toUpperCase(), creator: user.username }
      return { id: await changeFor(db, user, (tx) => insertRow(tx, apiEntries, row, apiClashes)) }
    },

    async updateApi({ body: { id, method, version, ...columns }, user }) {
      const changes = { ...columns, ...(method !== undefined && { method: method.toUpperCase() }) }
      await change(user, async (tx) => {
        for (const entry of await lockEntries(tx, [id], only('id'))) {
          requireSameOperation(entry, changes)
          await requireMayRepoint(tx, user, entry, changes)
        }
        await requireVersion(tx, 'api', id, version)
        // An edited entry belongs to the administrator from now on: the next start does not overwrite it.
        await updateRow(tx, apiEntries, id, { ...changes, document: '' }, apiClashes)
        return { callers }
      })
      return null
    },

    async deleteApis({ body: { apiIds }, user }) {
      await change(user, async (tx) => {
        requireNoneServed(await lockEntries(tx, apiIds, itemOf('apiIds')), itemOf('apiIds'))
        await deleteRows(tx, apiEntries, apiIds)
        return { callers }
      })
      return null
    },

    async listApis({ query }) {
      const page = pageOf(query)
      return page === null ? { apis: records.stream(query) } : records.page(query, page)
    },

    getApiTree: () => records.tree(),
  }
}

/**
 * Changing a granted entry to another operation grants that operation to every role with the entry, perhaps the
 * caller's own; it may be an operation that a later release serves.
 * @throws AppError (forbidden) naming the field that only the highest rank may change
 */
const requireMayRepoint = async (tx: Tx, actor: Caller, entry: Entry, changes: Partial<Entry>): Promise<void> => {
  const field = (['method', 'path'] as const).find((name) => (changes[name] ?? entry[name]) !== entry[name])
  if (field === undefined || (await rankOf(tx, actor)) === highestRank) return
  const granted = await tx.execute(sql`select from role_apis where api_id = ${entry.id} limit 1`)
  if (granted.length > 0) throw reasons.api_granted.at(field, { id: entry.id })
}

interface Entry {
  id: number
  method: string
  path: string
}

/** Takes entries for this transaction, in id order. @throws AppError (not_found) naming the first that is not there */
const lockEntries = async (tx: Tx, ids: readonly number[], field: (index: number) => string): Promise<Entry[]> => {
  const rows = await tx
    .select({ id: apiEntries.id, method: apiEntries.method, path: apiEntries.path })
    .from(apiEntries)
    .where(sql`${apiEntries.id} = ${anyOfIds(ids)}`)
    .orderBy(apiEntries.id)
    .for('update')
  return inRequestOrder('API entry', rows, ids, field)
}
