import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { constant } from '../../db/constant.ts'
import { anyOfIds } from '../../db/id-list.ts'
import { written } from '../../db/json-record.ts'
import { isHeldByOther, isOf, leaseOf } from '../../db/lease.ts'
import { statements } from '../statements.ts'
import type { RecordKind } from '../touch.ts'

// The common parts of the ledger's statements; in all of them `e` is a row of directory_entries.

/** Another instance may take over a batch whose lease was not renewed. */
export const lease = leaseOf(15)

/** A batch of records, held under a lease. */
export interface Claim {
  kind: RecordKind
  owner: string
  ids: number[]
  /** Whether lists of members were nested when it was taken (see `isNested`). Default: true, they may be. */
  nested?: boolean
}

/** The rows of one directory in the ledger. */
export interface Book {
  db: Db
  /** The number of the directory. */
  directory: number
  /**
   * Of this process, where the directory takes passwords in clear text: records whose password another instance knows
   * are left to it (fresh-passwords.ts). Absent: it takes hashes.
   */
  holder?: string
  /** Whether lists of members are always compared as a whole. Default: false; see list-notes.ts. */
  wholeLists?: boolean
  /** Whether a standby is read from: what was stored has to be on the disk before it can be there. Default: false. */
  hasReplica?: boolean
}

const rowsOf = new Map<string, SQL>()

/** Whether `e` is a row of this directory and kind. */
export const isRowOf = ({ directory }: Pick<Book, 'directory'>, kind: RecordKind): SQL => {
  const key = `${directory} ${kind}`
  const known = rowsOf.get(key) ?? written(sql`e.directory = ${constant(directory)} and e.kind = ${constant(kind)}`)
  rowsOf.set(key, known)
  return known
}

/** The entry is not known to be equal to the record. */
export const pending = sql`e.version <> e.synced_version`

const placeCodes = sql.raw(`('${statements.name_held.code}', '${statements.below_itself.code}')`)

/** Whether the last attempt for a row ended because another record has the place that its entry is to have. */
export const waitsForPlace = (row: SQL): SQL => sql`coalesce(${row}.stated->>'code', '') in ${placeCodes}`

/**
 * The rows of a claim whose lease this instance still holds. They are locked in the order of their ids, as in touch.ts,
 * so that few transactions wait for each other.
 */
export const heldRows = (
  book: Pick<Book, 'directory'>,
  { kind, owner, ids }: Claim,
  lock = sql`for update`,
): SQL => sql`
  select record_id from directory_entries e
  where ${isRowOf(book, kind)} and ${isOf(sql`e`, owner)} ${ids.length > 0 ? sql`and record_id = ${anyOfIds(ids)}` : sql``}
  order by record_id ${lock}`

/**
 * Groups that another instance is moving, or that an interrupted write may have moved: entries below them may have
 * other DNs.
 */
export const moving = ({ directory }: Pick<Book, 'directory'>, { owner }: Claim): SQL => sql`moving as materialized (
  select a.record_id, a.dn from directory_entries a
  where a.directory = ${constant(directory)} and a.kind = 'group' and a.dn is not null
    and (a.target_dn is not null or ${isHeldByOther(sql`a`, owner)}))`

/** Whether `e` lies below one of them. */
export const belowMoving = sql`e.kind = 'group' and exists (
  select from moving a where a.record_id <> e.record_id
    and (right(e.dn, length(a.dn) + 1) = ',' || a.dn or right(e.target_dn, length(a.dn) + 1) = ',' || a.dn))`

/** Whether `e` lies below this DN. */
export const isBelowDn = (dn: string): SQL => sql`right(e.dn, length(${dn}::text) + 1) = ',' || ${dn}::text`
