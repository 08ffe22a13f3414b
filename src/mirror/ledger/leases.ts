import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../../db/client.ts'
import { constant } from '../../db/constant.ts'
import { anyOfIds, anyOfIdsAt, idList, idsValue } from '../../db/id-list.ts'
import { beginMarked, inOrder, inTransaction, lastInOrder, sendKeptPlans } from '../../db/in-order.ts'
import { written } from '../../db/json-record.ts'
import { keptStatement, type Slots } from '../../db/kept-statement.ts'
import { assigned, isFree, isOf, type Renewal, released } from '../../db/lease.ts'
import { isOwn } from '../../db/own-row.ts'
import type { KeptAttributes } from '../../db/schema.ts'
import { analyzeIfGrown } from '../../db/statistics.ts'
import { withoutWaiting } from '../../db/without-waiting.ts'
import type { Statement } from '../../failures/statement.ts'
import { DirectoryError } from '../../ldap/directory-error.ts'
import { isNested } from '../entry/member-lists.ts'
import { isKnownElsewhere } from '../passwords/fresh-passwords.ts'
import { isWithin } from '../scope.ts'
import { asJson, statements } from '../statements.ts'
import type { RecordKind } from '../touch.ts'
import { type Book, type Claim, heldRows, isRowOf, lease, pending, waitsForPlace } from './claim.ts'
import { noteClaim, readsFew } from './list-notes.ts'
import { tryPlaces } from './places.ts'
import { type Claimed, type RawRow, type Readings, toRow } from './record-rows.ts'

/**
 * Which records a claim may take. `waiting`: records that wait for a retry, regardless of its time, those with the
 * oldest attempt first.
 */
export type Scope = 'due' | 'waiting' | { ids: readonly number[]; onlyPending: boolean }

// A group waits until its parent is in the directory, because its DN depends on the parent. In the flat layout this is
// so only until both have left the nested one. One that is to be removed does not wait, nor does one whose
// parent the directory does not get, or whose parent waits for a place itself: the group, or one above which it is to be,
// may have that place. It is made where the parent is by now, and goes along with it later.
const parentSettled = ({ directory }: Pick<Book, 'directory'>): SQL => sql`not exists (
  select from groups g
  join directory_entries p on p.directory = e.directory and p.kind = 'group' and p.record_id = g.parent_id
  where g.id = e.record_id and ${isWithin(directory, 'group', sql`g.id`)}
    and ${isWithin(directory, 'group', sql`g.parent_id`)} and p.version <> p.synced_version and p.next_at is not null
    and (p.dn is null or p.target_dn is not null or not ${waitsForPlace(sql`p`)})
    and (right(e.dn, length(p.dn) + 1) = ',' || p.dn or not exists (
      select from directories d where d.number = e.directory and d.group_layout = 'flat')))`

/**
 * Whether a row is in `locked`, whose rows are locked once before. Under some plans PostgreSQL would find and lock the
 * rows of a subquery again for each outer row.
 */
const isLocked = sql`record_id = any (array(select record_id from locked))`

/** The members that the groups of a batch have together, unless one group alone has more: all of them are in memory. */
const membersAtOnce = 50_000

const lightEnough = written(sql`
  select record_id, seen from (
    select f.*, sum(m.count) over (order by f.place) - m.count as before
    from first f cross join lateral (
      select count(*) from group_members m where m.group_id = f.record_id
    ) m
  ) weighed where before < ${constant(membersAtOnce)}`)

const isDueExcept = (ids: readonly number[]): SQL =>
  sql`${pending} and e.next_at <= now() and e.record_id <> all (array(${idList(ids)}))`

const settledFor = (book: Pick<Book, 'directory'>, kind: RecordKind): SQL =>
  kind === 'group' ? sql`and (e.target_dn is not null or ${parentSettled(book)})` : sql``

const isForUs = ({ holder }: Pick<Book, 'holder'>, kind: RecordKind): SQL =>
  kind === 'group' || holder === undefined ? sql`` : sql`and not ${isKnownElsewhere(sql`e.record_id`, holder)}`

interface ClaimRequest {
  kind: RecordKind
  /** Of the lease. */
  owner: string
  scope: Scope
  /** The most records. */
  limit: number
  /** Of those that are due, these are not claimed. Default: none. */
  except?: readonly number[]
}

interface Claiming {
  kind: RecordKind
  owner: string
  condition: SQL
  order: SQL
  limit: number
  /** Whether groups are read that may not be pending. */
  areCompared: boolean
}

const claiming = (
  { book, readings }: { book: Pick<Book, 'directory' | 'holder'>; readings: Readings },
  { kind, owner, condition, order, limit, areCompared }: Claiming,
): SQL => {
  const { columns, joins } = kind === 'user' ? readings.user : areCompared ? readings.group : readings.claimedGroup
  return sql`
    with first as (
      select e.record_id, e.xmin as seen, row_number() over () as place from (
        select e.record_id, e.xmin from directory_entries e
        where ${isRowOf(book, kind)} and ${isFree(sql`e`)} and ${condition} ${isForUs(book, kind)}
        order by ${order} limit ${constant(limit)} for update skip locked) e),
    locked as (${kind === 'group' && limit > 1 ? lightEnough : sql`select record_id, seen from first`}),
    taken as (
      update directory_entries e set ${lease.takenBy(owner)}
      where ${isRowOf(book, kind)} and ${isLocked})
    select ${columns}, e.xmin = l.seen as current, ${isNested} as nested, ${withoutWaiting} as ended
    from locked l join directory_entries e on ${isRowOf(book, kind)} and e.record_id = l.record_id ${joins}
    order by e.record_id`
}

interface ClaimingOwn {
  kind: RecordKind
  owner: Placeholder
  /** As `anyOfIds`. */
  ids: SQL
  /** People whose entries are about to change, as `anyOfIds`: which of them groups have is read too. null: none */
  people: SQL | null
  /** Whether the lock on places is tried with it, see `tryPlaces`. */
  triesPlaces: boolean
}

/**
 * Claims and reads records that this transaction has marked, groups where lists are not nested. It waits for no lock, and
 * what it reads cannot have changed.
 */
const claimingOwn = (
  { book, readings }: { book: Pick<Book, 'directory' | 'holder'>; readings: Readings },
  { kind, owner, ids, people, triesPlaces }: ClaimingOwn,
): SQL => {
  const { columns, joins } = kind === 'user' ? readings.user : readings.claimedFlat
  const few = kind === 'group' ? sql`and not ${isNested} and ${readsFew}` : sql``
  const among =
    kind === 'user' || people === null
      ? sql``
      : sql`, (select coalesce(json_agg(m.user_id), '[]') from group_members m
          where m.group_id = e.record_id and m.user_id = ${people}) as among`
  return sql`
    with e as (
      update directory_entries e set ${lease.takenBy(owner)}
      where ${isRowOf(book, kind)} and e.record_id = ${ids} and ${isOwn(sql`e`)} and ${isFree(sql`e`)} and ${pending}
        ${isForUs(book, kind)} ${few} ${settledFor(book, kind)}
      returning e.*)
    select ${columns}, ${kind === 'group' ? sql`false` : isNested} as nested${among},
      ${triesPlaces ? sql`case when not ${isNested} then ${tryPlaces} end` : sql`null`} as ended,
      ${kind === 'user' ? noteClaim(owner) : sql`null`} as noted
    from e ${joins} order by e.record_id`
}

type ClaimedRow = RawRow<never> & { current?: boolean; nested: boolean; ended: string | null; noted?: string | null }

const claimedOf = (kind: RecordKind, owner: string, rows: readonly ClaimedRow[]): Claimed => {
  // A row that was changed after the statement began is locked as it is by then, and read as it was before.
  const isCurrent = rows.every(({ current = true }) => current)
  return {
    kind,
    owner,
    ids: rows.map((row) => Number(row.id)),
    nested: rows[0]?.nested ?? true,
    rows: isCurrent ? rows.map(({ current, nested, ended, noted, ...row }) => toRow(row)) : null,
  } as Claimed
}

interface ClaimWithOptions {
  /** Those in the same batch as the groups. */
  people: readonly number[]
  /** Whether `intendAhead` may follow for the people, and no other row is locked after this. */
  mayIntend: boolean
}

interface ClaimedValues {
  ids: number | string
  owner: string
  people: number | string
}

const howMany = ({ length }: readonly unknown[]): 'none' | 'one' | 'many' =>
  length === 0 ? 'none' : length === 1 ? 'one' : 'many'

/** Takes, renews and releases claims, and writes what only their holder may write. */
export const ledgerLeases = ({ db, ...book }: Book, readings: Readings) => {
  const claimingThese = keptStatement(
    (
      at: Slots<ClaimedValues>,
      kind: RecordKind,
      isOne: boolean,
      people: 'none' | 'one' | 'many',
      triesPlaces: boolean,
    ) =>
      claimingOwn(
        { book, readings },
        {
          ...{ kind, owner: at.owner, ids: anyOfIdsAt(at.ids, isOne), triesPlaces },
          people: people === 'none' ? null : anyOfIdsAt(at.people, people === 'one'),
        },
      ),
  )
  return {
    /** Whether a record is due, apart from these. */
    async isAnyDue(except: ReadonlyMap<RecordKind, readonly number[]>): Promise<boolean> {
      const isDue = (kind: RecordKind): SQL => sql`exists (
      select from directory_entries e where ${isRowOf(book, kind)} and ${isDueExcept(except.get(kind) ?? [])})`
      const [row] = await db.execute<{ due: boolean }>(sql`select ${isDue('user')} or ${isDue('group')} as due`)
      return row?.due === true
    },

    /**
     * Takes up to `limit` records under a lease of `owner`, and reads them. Removals come first: they make DNs free.
     * If the database crashes and loses the leases, another instance may write the same entries at the same time. Then
     * `record` finds them lost, and the records become due once more.
     */
    async claim({ kind, owner, scope, limit, except = [] }: ClaimRequest): Promise<Claimed> {
      if (scope === 'due' || scope === 'waiting') await analyzeIfGrown(db, 'directory_entries')
      const condition: SQL =
        scope === 'due'
          ? isDueExcept(except)
          : scope === 'waiting'
            ? sql`${pending} and e.next_at is not null`
            : sql`e.record_id = ${anyOfIds(scope.ids)} ${scope.onlyPending ? sql`and ${pending}` : sql``}`
      // A group that an interrupted write may have moved does not wait: others wait until its DN is known.
      const order =
        scope === 'waiting' ? sql`e.tried_at nulls first, e.record_id` : sql`e.deleted desc, e.next_at, e.record_id`
      const settled = settledFor(book, kind)
      const claimable = sql`${condition} ${settled} and ${inTransaction}`
      const areCompared = typeof scope !== 'string' && !scope.onlyPending
      const what = { kind, owner, condition: claimable, order, limit, areCompared }
      const [, rows] = await db.transaction((tx) =>
        lastInOrder(
          tx,
          () => beginMarked(tx),
          () => tx.execute<ClaimedRow>(claiming({ book, readings }, what)),
        ),
      )
      return claimedOf(kind, owner, rows)
    },

    /**
     * The same for these records, as far as they are due, with statements of the transaction that has marked them: others
     * it leaves out. People come before groups; of these it leaves out those of which many people would have to be read.
     * @returns each of the claims as soon as it is answered
     */
    claimWith(tx: Queryable, claims: readonly Claim[], { people, mayIntend }: ClaimWithOptions): Promise<Claimed>[] {
      const kept = sendKeptPlans(tx)
      return claims.map(async ({ kind, owner, ids }) => {
        const values = { ids: idsValue(ids), owner, people: idsValue(people) }
        const shape = [kind, ids.length === 1, howMany(people), mayIntend && kind === 'user'] as const
        const [, rows] = await inOrder(
          () => kept,
          () => tx.execute<ClaimedRow>(claimingThese(values, ...shape)),
        )
        return claimedOf(kind, owner, rows)
      })
    },

    /** Renews the lease of the rest of the batch. Rows that other transactions have locked are skipped: `delayed`. */
    async renew(claim: Claim): Promise<Renewal> {
      const rows = await db.execute(sql`
      with locked as (${heldRows(book, claim, sql`for update skip locked`)}), renewed as (
        update directory_entries e set ${lease.renewed}
        where ${isRowOf(book, claim.kind)} and ${isLocked}
      )
      (${heldRows(book, claim, sql``)}) except select record_id from locked`)
      return rows.length === 0 ? 'renewed' : 'delayed'
    },

    /**
     * Releases a batch when the directory was not available: the state of its entries is unknown, so only the reason is
     * stored.
     */
    async release(claim: Claim, error: Statement | null): Promise<void> {
      await db.execute(sql`
      with locked as (${heldRows(book, claim)})
      update directory_entries e set ${assigned(released)},
        error = case when ${pending} then ${error?.text ?? ''} else e.error end,
        stated = case when ${pending} then ${asJson(error)} else e.stated end
      where ${isRowOf(book, claim.kind)} and ${isLocked}`)
    },

    /** @throws DirectoryError `unavailable` if another instance has taken over the record: then nothing may be removed */
    async keep({ owner }: Claim, id: number, kept: KeptAttributes): Promise<void> {
      const rows = await db.execute(sql`
      update directory_entries e set kept = ${JSON.stringify(kept)}::jsonb
      where ${isRowOf(book, 'user')} and e.record_id = ${id} and ${isOf(sql`e`, owner)} returning e.record_id`)
      if (rows.length === 0) throw new DirectoryError('unavailable', statements.written_elsewhere(), { answered: true })
    },
  }
}
