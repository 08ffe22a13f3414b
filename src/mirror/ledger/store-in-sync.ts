import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { anyOfIdsAt } from '../../db/id-list.ts'
import { inTransaction } from '../../db/in-order.ts'
import { keptStatement, type Slots } from '../../db/kept-statement.ts'
import { isOf } from '../../db/lease.ts'
import type { Outcome } from '../plan/outcome.ts'
import type { RecordKind } from '../touch.ts'
import { type Book, type Claim, isRowOf } from './claim.ts'
import {
  type InSyncValues,
  inSyncValues,
  outcomeRowsAt,
  outcomesValue,
  storing,
  storingInSync,
} from './outcome-rows.ts'

// The statements that store outcomes of entries that are equal to their records: all of a claim, or none.

/** The outcomes of a claim, to be stored. */
export interface ToStore {
  claim: Claim
  outcomes: readonly Outcome[]
}

export type BookRows = Pick<Book, 'directory' | 'hasReplica'>

const whereItWas = sql`e.target_dn is null and e.dn = o.dn`

/** The entry is at the DN of its intent, or stayed where it was. */
const asIntended = sql`e.dn is not distinct from o."from" and (e.dn = o.dn or coalesce(e.target_dn, o.dn) = o.dn)`

export const peopleStored = sql.raw(`set_config('steward.stored', 'on', true)`)
const arePeopleStored = sql.raw(`current_setting('steward.stored', true) = 'on'`)

/** The conditions under which outcomes are stored: where the entry is, and what the transaction has to say. */
const places = { whereItWas, asIntended }
const conditions = {
  always: sql`true`,
  inTransaction,
  arePeopleStored: sql`${inTransaction} and ${arePeopleStored}`,
}

interface Storing {
  place: keyof typeof places
  /** Default: always. */
  within?: keyof typeof conditions
}

/** Stores outcomes of entries that are equal to their records: all of them, or none if one has not this place in the ledger. */
export const storingAll = (
  { directory, hasReplica = false }: BookRows,
  { claim: { kind, owner }, outcomes }: ToStore,
  { place, within = 'always' }: Storing,
): SQLWrapper => {
  const [first] = outcomes
  if (first !== undefined && outcomes.length === 1) {
    const values = { ...inSyncValues(first), owner }
    return storingOne(values, directory, hasReplica, kind, ...shapeOf(first), place, within)
  }
  const rows = outcomesValue(outcomes.map((one) => ({ carried: false, ...one })))
  const ids = outcomes.map(({ id }) => id)
  const values = { rows, ids: JSON.stringify(ids), owner, count: outcomes.length }
  return storingRows(values, directory, hasReplica, kind, place, within)
}

/** What the text depends on that stores one outcome. */
type Shape = [forgetsKept: boolean, settlesPassword: boolean]

const shapeOf = ({ forgetKept, passwordDigest }: Outcome): Shape => [forgetKept, passwordDigest !== undefined]

const storingOne = keptStatement(
  (
    at: Slots<InSyncValues & { owner: string }>,
    directory: number,
    hasReplica: boolean,
    kind: RecordKind,
    forgetsKept: boolean,
    settlesPassword: boolean,
    place: keyof typeof places,
    within: keyof typeof conditions,
  ) => {
    const condition = sql`${isOf(sql`e`, at.owner)} and ${places[place]} and ${conditions[within]}`
    return sql`${storingInSync({ directory, hasReplica }, kind, { at, forgetsKept, settlesPassword, condition })},
      ${noteStored(kind)} as stored`
  },
)

/** Set once the outcomes of people were stored. */
const noteStored = (kind: RecordKind): SQL => (kind === 'user' ? peopleStored : sql`null`)

interface StoredValues {
  rows: string
  ids: string
  owner: string
  count: number
}

const storingRows = keptStatement(
  (
    at: Slots<StoredValues>,
    directory: number,
    hasReplica: boolean,
    kind: RecordKind,
    place: keyof typeof places,
    within: keyof typeof conditions,
  ) => {
    const book = { directory, hasReplica }
    const unmoved = sql`${isOf(sql`e`, at.owner)} and ${places[place]}`
    return sql`
    with outcomes as (${outcomeRowsAt(at.rows)}), held as materialized (
      select e.record_id, e.lease_owner, e.dn, e.target_dn, e.synced_version from directory_entries e
      where ${isRowOf(book, kind)} and e.record_id = ${anyOfIdsAt(at.ids, false)} order by e.record_id for update
    ), reached as (
      select o.*, false as uncertain, greatest(e.synced_version, o.version) as synced
      from outcomes o join held e on e.record_id = o.id where ${unmoved}
    )
    ${storing(book, kind, sql`(select count(*) from reached) = ${at.count}::bigint and ${unmoved} and ${conditions[within]}`)},
      ${noteStored(kind)} as stored`
  },
)

/** Values of two statements in one. */
const within = (of: string, values: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${of} ${name}`, value]))

const placesWithin = <Values extends object>(at: Slots<Record<string, unknown>>, of: string): Slots<Values> =>
  new Proxy({}, { get: (_, name) => at[`${of} ${String(name)}`] }) as Slots<Values>

/**
 * Stores the outcome of a person, and of the group whose list was written as it says if that of the person is stored. Rows
 * have a `kind`. The person's row is locked first, as everywhere.
 */
export const storingPair = (
  { directory, hasReplica = false }: BookRows,
  person: { owner: string; outcome: Outcome },
  group: { owner: string; outcome: Outcome },
): SQLWrapper => {
  const values = {
    ...within('person', { ...inSyncValues(person.outcome), owner: person.owner }),
    ...within('group', { ...inSyncValues(group.outcome), owner: group.owner }),
  }
  return storingTwo(values, directory, hasReplica, ...shapeOf(person.outcome), ...shapeOf(group.outcome))
}

const storingTwo = keptStatement(
  (at: Slots<Record<string, unknown>>, directory: number, hasReplica: boolean, ...shapes: [...Shape, ...Shape]) => {
    const stored = (
      kind: RecordKind,
      of: string,
      [forgetsKept, settlesPassword]: readonly boolean[],
      also: SQL,
    ): SQL => {
      const places = placesWithin<InSyncValues & { owner: string }>(at, of)
      const condition = sql`${isOf(sql`e`, places.owner)} and ${whereItWas} ${also}`
      const how = {
        at: places,
        forgetsKept: forgetsKept === true,
        settlesPassword: settlesPassword === true,
        condition,
      }
      return storingInSync({ directory, hasReplica }, kind, how)
    }
    return sql`
    with person as (${stored('user', 'person', shapes.slice(0, 2), sql``)}),
      list as (${stored('group', 'group', shapes.slice(2), sql`and (select count(*) from person) = 1`)})
    select 'user' as kind, person.* from person union all select 'group', list.* from list`
  },
)
