import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { changeFor } from '../../access/committed.ts'
import type { Author } from '../../access/standing.ts'
import type { Db, Queryable } from '../../db/client.ts'
import { withoutDeadlock } from '../../db/deadlock.ts'
import { takeLock } from '../../db/locks.ts'
import type { RunProblem } from '../../db/schema.ts'
import type { Statement } from '../../failures/statement.ts'
import type { Directory } from '../../ldap/directory.ts'
import { keyOfAny } from '../../ldap/dn.ts'
import { problem } from '../comparison/directory-run.ts'
import { searchGroups } from '../comparison/drift.ts'
import { type FlatName, isCurrentName, proposeFlatNames, storeFlatNames } from '../entry/flat-names.ts'
import { groupLayoutIn } from '../entry/group-layout.ts'
import { ensureLayout } from '../entry/layout.ts'
import { type GroupLayout, groupPlace, groupsDn } from '../entry/places.ts'
import { reachable } from '../reachable.ts'
import { reasons } from '../reasons.ts'
import { isWithin } from '../scope.ts'
import { joined, statements } from '../statements.ts'
import { compareGroupsAgain } from './identity.ts'

/** A group that gets another place. */
export interface LayoutMove {
  id: number
  name: string
  /** null: it has no entry yet. */
  from: string | null
  to: string
  /** Whether its entry gets a number, because another group has the name. */
  renamed: boolean
  /** Why it cannot get there; null: it can. */
  obstacle: Statement | null
}

export interface LayoutPlan {
  directory: number
  layout: GroupLayout
  /** By the settings. */
  wanted: GroupLayout
  /** Of exactly these moves. */
  hash: string
  moves: LayoutMove[]
  /** Groups that are not at their places in the present layout yet. */
  waiting: number
  /** Why it has to be confirmed; empty: it need not. */
  heldBecause: Statement[]
}

/** How far the directory is with the layout that is in effect. */
export interface LayoutState {
  waiting: number
  /** The first hundred groups that wait, with their reasons; `isParked`: they are not retried soon. */
  problems: (RunProblem & { isParked: boolean })[]
}

/** The layout of the groups of one directory, and its change to that of the settings. */
export interface LayoutChange {
  /** @throws AppError (unavailable) */
  plan(): Promise<LayoutPlan>
  /**
   * From now on the layout of the settings is in effect, and the reconciler moves the groups: also after a crash.
   * @returns how many groups move
   * @throws AppError (conflict) for another plan, one that is held and not confirmed, or one that is not possible;
   *   unavailable
   */
  begin(hash: string, confirmed: boolean, author: Author): Promise<number>
  state(): Promise<LayoutState>
}

export interface LayoutChangeOptions {
  db: Db
  /** The number of the directory. */
  number: number
  directory: Directory
  /** LDAP_GROUP_LAYOUT */
  wanted: GroupLayout
}

/** Moves that need no confirmation. */
const fewMoves = 20
const problemsShown = 100

export const openLayoutChange = (options: LayoutChangeOptions): LayoutChange => {
  const { db, number, directory, wanted } = options

  const plan = reachable(async (): Promise<LayoutPlan> => {
    const layout = await groupLayoutIn({ db, directory: number })
    const { moves, waiting, hash } = await draft(db, options)
    const there = moves.length === 0 ? new Set<string>() : await orphanKeys(options, layout)
    const judged = moves.map((move) => ({ ...move, obstacle: move.obstacle ?? occupied(move, there) }))
    const heldBecause = layout === wanted ? [] : holding(judged, waiting)
    return { directory: number, layout, wanted, hash, moves: judged, waiting, heldBecause }
  })

  const begin = reachable(async (hash: string, confirmed: boolean, author: Author): Promise<number> => {
    const found = await plan()
    if (found.layout === wanted) throw reasons.layout_in_effect({ layout: wanted })
    const blocked = found.moves.find(({ obstacle }) => obstacle?.code === statements.layout_unit.code)
    if (blocked) throw reasons.layout_blocked({ name: blocked.name, problem: statements.layout_unit() })
    if (found.hash !== hash) throw reasons.layout_outdated.at('planHash')
    const held = joined(found.heldBecause)
    if (held !== null && !confirmed) throw reasons.layout_held.at('confirmed', { problem: held })
    await ensureLayout(directory, wanted)
    await withoutDeadlock(() =>
      changeFor(db, author, async (tx) => {
        // Names and places stay what the plan says until the commit.
        await tx.execute(sql`lock table groups in share row exclusive mode`)
        await takeLock(tx, 'flatGroupNames')
        await tx.execute(sql`select from directories where number = ${number} for update`)
        await tx.execute(sql`lock table directory_entries in share row exclusive mode`)
        const { hash: now, names } = await draft(tx, options)
        if (now !== hash) throw reasons.layout_outdated.at('planHash')
        await storeFlatNames(tx, names)
        await tx.execute(sql`update directories set group_layout = ${wanted} where number = ${number}`)
        await compareGroupsAgain(tx, number)
      }),
    )
    return found.moves.length
  })

  return { plan, begin, state: () => stateOf({ db, directory: number }) }
}

const occupied = ({ to }: LayoutMove, there: ReadonlySet<string>): Statement | null =>
  there.has(keyOfAny(to)) ? statements.layout_occupied({ dn: to }) : null

/** Why this is confirmed first: what applications notice, and what would not be done. */
const holding = (moves: readonly LayoutMove[], waiting: number): Statement[] => {
  const renamed = moves.filter((move) => move.renamed).length
  const stays = moves.filter(({ obstacle }) => obstacle !== null).length
  if (moves.length === 0) return []
  return [
    ...(moves.length > fewMoves ? [statements.layout_held_many({ count: moves.length })] : []),
    ...(renamed > 0 ? [statements.layout_held_renamed({ count: renamed })] : []),
    ...(stays > 0 ? [statements.layout_held_occupied({ count: stays })] : []),
    ...(waiting > 0 ? [statements.layout_held_waiting({ count: waiting })] : []),
  ]
}

interface Draft {
  moves: LayoutMove[]
  /** The names that groups get for it. */
  names: FlatName[]
  waiting: number
  hash: string
}

interface GroupRow extends Record<string, unknown> {
  id: string
  parentId: string | null
  name: string
  key: string
  type: string
  dn: string | null
  flatName: string | null
  waiting: boolean
}

/** What the settings would change, by SQL alone. */
const draft = async (db: Queryable, { number, directory, wanted }: LayoutChangeOptions): Promise<Draft> => {
  const { baseDn } = directory
  const rows = await db.execute<GroupRow>(sql`
    select g.id, g.parent_id as "parentId", g.group_name as name, g.group_name_key as key, g.group_type as type, e.dn,
      f.name as "flatName", coalesce(e.version <> e.synced_version, true) as waiting
    from groups g
    left join directory_entries e on e.directory = ${number} and e.kind = 'group' and e.record_id = g.id
    left join flat_group_names f on f.group_id = g.id and ${isCurrentName}
    where ${isWithin(number, 'group', sql`g.id`)}
    order by g.id`)
  const names = wanted === 'flat' ? await proposeFlatNames(db, sql`true`) : []
  const nameOf = new Map(names.map(({ id, flatName }) => [id, flatName]))
  const byId = new Map(rows.map((row) => [Number(row.id), row]))
  const placeOf = (row: GroupRow): string => {
    if (wanted === 'flat') {
      return groupPlace(groupsDn(baseDn), row.type, nameOf.get(Number(row.id)) ?? row.flatName ?? row.name)
    }
    const parent = row.parentId === null ? undefined : byId.get(Number(row.parentId))
    return groupPlace(parent === undefined ? baseDn : placeOf(parent), row.type, row.name)
  }
  const unit = keyOfAny(groupsDn(baseDn))
  const moves = rows.flatMap((row): LayoutMove[] => {
    const [id, to] = [Number(row.id), placeOf(row)]
    const isUnit = [row.dn, to].some((dn) => dn !== null && keyOfAny(dn) === unit)
    if (to === row.dn && !isUnit) return []
    const entryName = nameOf.get(id) ?? row.flatName ?? row.name
    const renamed = wanted === 'flat' && entryName !== row.name
    return [{ id, name: row.name, from: row.dn, to, renamed, obstacle: isUnit ? statements.layout_unit() : null }]
  })
  const content = JSON.stringify([number, wanted, moves.map(({ id, from, to }) => [id, from, to])])
  const hash = createHash('sha256').update(content).digest('hex')
  return { moves, names, waiting: rows.filter((row) => row.waiting).length, hash }
}

/** The places of entries that belong to no record. */
const orphanKeys = async (
  { db, number, directory }: LayoutChangeOptions,
  layout: GroupLayout,
): Promise<ReadonlySet<string>> => {
  const found = new Set<string>()
  for await (const page of searchGroups(directory, layout, [])) for (const { dn } of page) found.add(keyOfAny(dn))
  const known = await db.execute<{ dn: string }>(sql`
    select coalesce(dn, target_dn) as dn from directory_entries
    where directory = ${number} and kind = 'group' and coalesce(dn, target_dn) is not null`)
  for (const { dn } of known) found.delete(keyOfAny(dn))
  return found
}

interface StateRow extends Record<string, unknown> {
  waiting: string
  id: string
  name: string | null
  stated: Statement | null
  isParked: boolean
}

const stateOf = async ({ db, directory }: { db: Db; directory: number }): Promise<LayoutState> => {
  const rows = await db.execute<StateRow>(sql`
    select count(*) over () as waiting, e.record_id as id, g.group_name as name, e.stated, e.next_at is null as "isParked"
    from directory_entries e left join groups g on g.id = e.record_id
    where e.directory = ${directory} and e.kind = 'group' and e.version <> e.synced_version
    order by e.next_at is null, e.record_id limit ${problemsShown}`)
  const problems = rows.map(({ id, name, stated, isParked }) => ({
    ...problem({
      ...{ sourceId: id, name: name ?? '', step: 'write' },
      stated: stated ?? statements.on_its_way(),
      advised: isParked ? statements.change_or_repair() : statements.retried(),
    }),
    isParked,
  }))
  return { waiting: Number(rows[0]?.waiting ?? 0), problems }
}
