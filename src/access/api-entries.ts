import { sql } from 'drizzle-orm'
import { type ContractDocument, entryPath } from '../contract/document.ts'
import type { Tx } from '../db/client.ts'

/** An operation of a document, which can be granted to roles. */
export interface DocumentedOperation {
  /** The document's name. */
  document: string
  /** The `operationId`. */
  id: string
  method: string
  /** Relative to `/api`. */
  path: string
}

const longestRemark = 100

/** The prefix of the remark of an entry whose operation no longer exists in the documents. */
const removed = '(removed) '

/**
 * Updates the API entries from the documents: one per operation, its category the tag and its remark the summary. An
 * entry whose operation no longer exists stays, marked; an entry that an administrator added is not changed.
 */
export const seedApiEntries = async (
  tx: Tx,
  documents: readonly ContractDocument[],
): Promise<readonly DocumentedOperation[]> => {
  const operations = documents.flatMap((document) =>
    document.operations.map((operation) => ({
      document: document.name,
      id: operation.id,
      method: operation.method,
      path: entryPath(document, operation),
      category: operation.tag,
      remark: [...operation.summary].slice(0, longestRemark).join(''),
    })),
  )
  const wanted = sql`jsonb_to_recordset(${JSON.stringify(operations)}::jsonb)
    as o (document text, method text, path text, category text, remark text)`
  await tx.execute(sql`
    insert into api_entries as e (document, method, path, category, remark, creator)
    select document, method, path, category, remark, 'system' from ${wanted}
    on conflict (method, path) do update
    set document = excluded.document, category = excluded.category, remark = excluded.remark, updated_at = now()
    where e.document <> ''
      and (e.document, e.category, e.remark) is distinct from (excluded.document, excluded.category, excluded.remark)`)
  await tx.execute(sql`
    update api_entries e set remark = left(${removed} || e.remark, ${longestRemark}), updated_at = now()
    where e.document <> '' and not starts_with(e.remark, ${removed})
      and not exists (select from ${wanted} where o.method = e.method and o.path = e.path)`)
  return operations
}
