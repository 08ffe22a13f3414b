import type { Statement } from '../../failures/statement.ts'
import type { Reading } from '../source.ts'
import { statements } from '../statements.ts'
import type { PlatformClient } from './client.ts'
import { idAt, isObject, type JsonObject } from './json.ts'

/** The records of a list that have an id; null: it is not a list, or not one of such records. */
export type Identify = (list: unknown, idField: string, what: Statement) => JsonObject[] | null

const withIds = (list: readonly unknown[], idField: string): JsonObject[] =>
  list.filter(isObject).filter((row) => idAt(row[idField]) !== '')

/** For a sample, where some records are enough. */
export const someIdentified: Identify = (list, idField) => {
  if (!Array.isArray(list)) return null
  const rows = withIds(list, idField)
  return rows.length > 0 || list.length === 0 ? rows : null
}

export type Identified = ReturnType<typeof createIdentified>

/** Lists that are named. */
const shown = 5

/** The records of one kind: those with the same field for their ids. */
interface Kind {
  read: number
  /** With records that have no id, by their text. */
  lists: Map<string, Statement>
}

/**
 * Leaves out the records of one reading that have no id: such a record cannot be told from others, and it must not stop
 * them. The snapshot is known to be incomplete then, so that no person is taken for one who has left.
 */
export const createIdentified = (reading: Pick<Reading, 'gap'>, { malformed }: Pick<PlatformClient, 'malformed'>) => {
  const kinds = new Map<string, Kind>()
  const identify: Identify = (list, idField, what) => {
    if (!Array.isArray(list)) return null
    const rows = withIds(list, idField)
    const kind = kinds.get(idField) ?? { read: 0, lists: new Map() }
    kinds.set(idField, kind)
    kind.read += rows.length
    if (rows.length < list.length) kind.lists.set(what.text, what)
    return rows
  }
  return {
    identify,
    /** @throws SourceError when no record of a kind had an id: the platform has other answers than are known */
    report(): void {
      const lists = new Map<string, Statement>()
      for (const [field, kind] of kinds)
        for (const [text, what] of kind.lists) {
          if (kind.read === 0) throw malformed(what, statements.lacks_items({ field }))
          lists.set(text, what)
        }
      // In the same order each time: what an administrator has confirmed as normal must not hold the next run again.
      const all = [...lists].sort(([one], [other]) => (one < other ? -1 : 1))
      for (const [, what] of all.slice(0, shown)) reading.gap(statements.without_id({ what }))
      if (all.length <= shown) return
      const more = all.slice(shown).map(([text]) => text)
      reading.gap(statements.more_without_id({ count: more.length }), more)
    },
  }
}
