import { and, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { instantText, jsonObject, written } from '../db/json-record.ts'
import { contains } from '../db/like.ts'
import type { Page } from '../db/paging.ts'
import { allRecords, listRecords, streamRecords } from '../db/record-lists.ts'
import { versionOf } from '../db/record-versions.ts'
import { apiEntries } from '../db/schema.ts'
import type { components } from '../generated/directory.types.ts'

export type ApiRecord = components['schemas']['ApiEntry']
export type ApiNode = components['schemas']['ApiNode']

/** An empty text filters nothing. */
export interface ApiFilter {
  method?: string
  path?: string
  category?: string
  creator?: string
}

const record = written(
  jsonObject<ApiRecord>({
    id: apiEntries.id,
    category: apiEntries.category,
    method: apiEntries.method,
    path: apiEntries.path,
    remark: apiEntries.remark,
    creator: apiEntries.creator,
    createdAt: instantText(apiEntries.createdAt),
    updatedAt: instantText(apiEntries.updatedAt),
    version: versionOf('api'),
  }),
)

const passing = (filter: ApiFilter): SQL | undefined => {
  const texts = [
    [apiEntries.method, filter.method],
    [apiEntries.path, filter.path],
    [apiEntries.category, filter.category],
    [apiEntries.creator, filter.creator],
  ] as const
  return and(...texts.flatMap(([column, text]) => (text ? [contains(column, text)] : [])))
}

/** Reads API entries in the shape of the contract. */
export const apiRecords = (db: Db) => {
  /** Those that a condition holds for, or all, in the order in which a document has its operations. */
  const all = (wanted: SQL = sql`true`): Promise<ApiRecord[]> =>
    allRecords(db, { record, from: sql`${apiEntries} where ${wanted}`, order: sql`${apiEntries.id}` })

  return {
    all,

    /** A page of those that pass the filter, newest first, and how many there are on all pages. */
    async page(filter: ApiFilter, page: Page): Promise<{ total: number; apis: ApiRecord[] }> {
      const { total, records } = await listRecords(db, apiEntries, { record, wanted: passing(filter), page })
      return { total, apis: records }
    },

    /** All that pass the filter, newest first, in batches. */
    stream: (filter: ApiFilter) => streamRecords<ApiRecord>(db, apiEntries, { record, wanted: passing(filter) }),

    tree: async (): Promise<ApiNode[]> => byCategory(await all()),
  }
}

/** A category is not a record: its id is 0 or less, and a console shows its name. */
const byCategory = (entries: readonly ApiRecord[]): ApiNode[] => {
  const categories = new Map<string, ApiRecord[]>()
  for (const entry of entries) {
    const category = categories.get(entry.category)
    if (category === undefined) categories.set(entry.category, [entry])
    else category.push(entry)
  }
  return [...categories]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([category, children], index) => ({ id: 0 - index, category, remark: category, children }))
}
