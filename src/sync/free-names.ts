import { sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { stemOf } from '../text/stem.ts'
import { longestNames } from './mapping/fields.ts'

export interface Named {
  sourceId: string
  /** The source's id of the parent group; null: directly under the base. */
  parent: string | null
  name: string
  nameKey: string
}

export interface FreeNamesOptions {
  wanted: readonly Named[]
  /** Groups whose name and place are decided. */
  settled: readonly Named[]
  /** Ids of the groups that lose their present name. */
  leaving: readonly number[]
  /** The ids of the source's existing groups, by the source's ids. */
  parentIds: ReadonlyMap<string, number>
}

/**
 * Finds names that are free under their parents: of several groups that want one name the first by the source's id gets
 * it, the others append the smallest number that makes it free.
 * @returns name and key by the source's id
 */
export const freeNames = async (
  tx: Tx,
  options: FreeNamesOptions,
): Promise<Map<string, Pick<Named, 'name' | 'nameKey'>>> => {
  const { wanted, settled, parentIds } = options
  const taken = await namesOfOthers(tx, options)
  const place = (parent: string | null, key: string): string => JSON.stringify([parent, key])
  for (const { parent, nameKey } of settled) taken.add(place(parent, nameKey))
  const idOf = (parent: string | null): number | null => (parent === null ? 0 : (parentIds.get(parent) ?? null))
  const isTaken = (parent: string | null, key: string): boolean =>
    taken.has(place(parent, key)) || taken.has(JSON.stringify([idOf(parent), key]))

  const found = new Map<string, Pick<Named, 'name' | 'nameKey'>>()
  const inOrder = [...wanted].sort((a, b) => (a.sourceId < b.sourceId ? -1 : 1))
  const plain = new Set(inOrder.map(({ parent, nameKey }) => place(parent, nameKey)))
  /** The next number for each name, so that many groups of one name take linear time. */
  const next = new Map<string, number>()
  for (const { sourceId, parent, name, nameKey } of inOrder) {
    let free = { name, nameKey }
    if (isTaken(parent, nameKey)) {
      const { stem, stemKey } = stemOf(name, longestNames.groups)
      let number = next.get(place(parent, stemKey)) ?? 2
      while (isTaken(parent, `${stemKey}${number}`) || plain.has(place(parent, `${stemKey}${number}`))) number++
      next.set(place(parent, stemKey), number + 1)
      free = { name: `${stem}${number}`, nameKey: `${stemKey}${number}` }
    }
    taken.add(place(parent, free.nameKey))
    found.set(sourceId, free)
  }
  return found
}

/** Keys of the names that stay under these parents, as `[parent's id or 0, key]`. */
const namesOfOthers = async (tx: Tx, { wanted, leaving, parentIds }: FreeNamesOptions): Promise<Set<string>> => {
  const parents = [...new Set(wanted.map(({ parent }) => (parent === null ? 0 : (parentIds.get(parent) ?? -1))))]
  const rows = await tx.execute<{ parent: string; key: string }>(sql`
    select coalesce(parent_id, 0) as parent, group_name_key as key from groups
    where coalesce(parent_id, 0) in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(parents)}::jsonb))
      and id not in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(leaving)}::jsonb))`)
  return new Set(rows.map(({ parent, key }) => JSON.stringify([Number(parent), key])))
}
