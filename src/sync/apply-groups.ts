import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { RunPermit } from '../access/permits/permit.ts'
import type { Tx } from '../db/client.ts'
import { assignments, type ColumnValues, insertSelect } from '../db/column-sql.ts'
import { groups } from '../db/schema.ts'
import type { Statement } from '../failures/statement.ts'
import { mainDirectory, touchRearranged } from '../mirror/touch.ts'
import { holdDeclarations } from '../people/attributes/declared.ts'
import { type ApplyOptions, applied, markDone, reasonSet } from './apply.ts'
import { declaredValues, rememberedFields } from './declared-fields.ts'
import type { DoneCounts } from './done-counts.ts'
import { admitGroups } from './held-changes.ts'
import { lockRun } from './lease.ts'
import { type PlainGroupField, plainGroupFields } from './plain-fields.ts'
import { keepNumbers } from './posix-numbers.ts'
import { statements } from './statements.ts'
import { untilNone } from './until-none.ts'

/**
 * Makes the planned changes of departments, in one transaction: names pass from one to another, places depend on each
 * other, and there are thousands at most. A change that is no longer possible is marked failed and left out; one that
 * concerns people of too high a rank is held.
 */
export const applyGroups = async (options: ApplyOptions): Promise<DoneCounts> => {
  const { db, run, slot, change, authority } = options
  const planned = sql`c.run_id = ${run.id} and c.state = 'planned'`
  await change(authority.actor, async (tx) => {
    await lockRun(tx, run)
    await holdDeclarations(tx, 'group')
    // Locked: names, parents and children of groups stay what is read here until the commit.
    await tx.execute(sql`lock table groups in share row exclusive mode`)
    await refuseStale(tx, planned, slot)
    const permit = await admitGroups(tx, authority, planned)
    await refuseCycles(tx, planned, slot)
    await refuseTakenNames(tx, planned, slot)
    await refuseNonEmpty(tx, planned)
    await assignTemporaryNames(permit, planned)
    await addLevelByLevel(permit, planned, slot)
    const formerParents = await parentsOfMoved(tx, planned)
    await updateAndMove(permit, planned, slot)
    await keepNumbers(tx, 'group', planned)
    await removeAndTouch(permit, planned, formerParents)
    await markDone(tx, planned)
    return {}
  })
  const figures = await applied(db, run.id)
  run.progress('applying', figures.added + figures.updated + figures.moved + figures.disabled + figures.failed, null)
  return figures
}

/** Changes by others since the plan. Groups to be removed are locked: no user joins them meanwhile. */
const refuseStale = async (tx: Tx, planned: SQL, slot: string): Promise<void> => {
  await tx.execute(sql`
    select from groups where id in (select c.record_id from run_changes c where ${planned}) order by id for update`)
  await tx.execute(sql`
    update run_changes c set state = 'failed', ${reasonSet(statements.stale())}
    where ${planned} and case when c.action = 'add'
      then exists (select from groups g where g.source = ${slot} and g.source_dept_id <> '' and g.source_dept_id = c.source_id)
      else not exists (select from directory_entries e
        where e.directory = ${mainDirectory} and e.kind = 'group' and e.record_id = c.record_id and e.version = c.version and not e.deleted) end`)
}

/** The group of a change that cannot be made keeps its name, which may prevent another change. */
const refuseTakenNames = async (tx: Tx, planned: SQL, slot: string): Promise<void> => {
  await untilNone(
    tx,
    sql`
    update run_changes c set state = b.state, reason = b.reason, stated = b.stated
    from (
      select c.seq, ${blockedBy(sql`x.id`, statements.group_name_taken())}
      from run_changes c join groups x on x.group_name_key = c.name_key and x.id is distinct from c.record_id
      left join groups p on p.source = ${slot} and p.source_dept_id <> '' and p.source_dept_id = c.after->>'parent'
      left join groups own on own.id = c.record_id
      where ${planned} and c.action <> 'remove'
        and coalesce(x.parent_id, 0) = case
          when c.after ? 'parent' then case when c.after->>'parent' is null then 0 else coalesce(p.id, -1) end
          else coalesce(own.parent_id, 0) end
        and not exists (select from run_changes o where o.run_id = c.run_id and o.state = 'planned' and o.record_id = x.id)
      group by c.seq
    ) b
    where b.seq = c.seq and ${planned} returning c.seq`,
  )
}

/** Groups that got new child groups since the plan was made stay, and so do all groups above them. */
const refuseNonEmpty = async (tx: Tx, planned: SQL): Promise<void> => {
  await untilNone(
    tx,
    sql`
    update run_changes c set state = b.state, reason = b.reason, stated = b.stated
    from (
      select c.seq, ${blockedBy(sql`x.id`, statements.groups_below())}
      from run_changes c join groups x on x.parent_id = c.record_id
      where ${planned} and c.action = 'remove' and not exists (
        select from run_changes o where o.run_id = c.run_id and o.state = 'planned' and o.record_id = x.id
          and (o.action = 'remove' or o.after ? 'parent'))
      group by c.seq
    ) b
    where b.seq = c.seq and ${planned} returning c.seq`,
  )
}

const entangled = statements.entangled()

/** The result for a change that another group prevents: it waits if that group has a held change. */
const blockedBy = (groupId: SQL, otherwise: Statement): SQL => {
  const held = sql`bool_or(exists (
    select from run_changes h where h.run_id = c.run_id and h.state = 'held' and h.record_id = ${groupId}))`
  return sql`case when ${held} then 'held' else 'failed' end as state,
    case when ${held} then ${entangled.text} else ${otherwise.text} end as reason,
    case when ${held} then ${JSON.stringify(entangled)}::jsonb else ${JSON.stringify(otherwise)}::jsonb end as stated`
}

/**
 * The whole plan makes a tree; without its failed changes it may not: of two departments that change places one would
 * be put below the other, which still is below it. (Held changes cause no such cycle: the rank of a member is too high
 * for moves of all groups above it as well.)
 */
const refuseCycles = async (tx: Tx, planned: SQL, slot: string): Promise<void> => {
  await untilNone(
    tx,
    sql`
    with recursive above (id, parent) as (
      select g.source_dept_id, case when c.seq is null then p.source_dept_id else c.after->>'parent' end
      from groups g
      left join groups p on p.id = g.parent_id and p.source = ${slot}
      left join run_changes c on c.record_id = g.id and c.after ? 'parent' and ${planned}
      where g.source = ${slot} and g.source_dept_id <> ''
      union all
      select c.source_id, c.after->>'parent' from run_changes c where ${planned} and c.action = 'add'
    ), ancestors (seq, start, ancestor) as (
      select c.seq, c.source_id, c.after->>'parent' from run_changes c where ${planned} and c.action <> 'add' and c.after ? 'parent'
      union
      select w.seq, w.start, a.parent from ancestors w join above a on a.id = w.ancestor
    )
    update run_changes c set state = 'failed', ${reasonSet(statements.below_itself())}
    where ${planned} and c.seq in (select seq from ancestors where ancestor = start) returning c.seq`,
  )
}

/** Groups that get another name or place first get a temporary name; no real name begins with a control character. */
const assignTemporaryNames = async ({ tx }: RunPermit, planned: SQL): Promise<void> => {
  await tx.execute(sql`
    update groups g set group_name_key = E'\\x01' || g.id
    from run_changes c where c.record_id = g.id and ${planned}
      and (c.action = 'remove' or c.after ? 'groupName' or c.after ? 'parent')`)
}

/** The source's value of a field besides the name, in a change with this alias. */
const sourceValueOf = (change: SQL, field: PlainGroupField): SQL => sql`${change}.after->>${sql.raw(`'${field}'`)}`

const g = alias(groups, 'g')

/** The columns of a group that is added by a change of `ready`. */
const newColumns = (slot: string): ColumnValues<typeof groups> => ({
  ...Object.fromEntries(
    plainGroupFields.map((field) => [field, sql`coalesce(${sourceValueOf(sql`ready`, field)}, '')`]),
  ),
  groupName: sql`name`,
  groupNameKey: sql`name_key`,
  groupType: sql`after->>'groupType'`,
  parentId: sql`parent_id`,
  source: sql`${slot}`,
  sourceDeptId: sql`source_id`,
  sourceDeptParentId: sql`coalesce(after->>'parent', '')`,
  sourceFields: rememberedFields('group', sql`ready`),
  attributes: declaredValues('group', sql`ready`),
  creator: sql`${slot}`,
})

/** The columns of `groups g` that a change `c` writes: name, place below its parent `p`, and texts. */
const changedColumns: ColumnValues<typeof groups> = {
  ...Object.fromEntries(
    plainGroupFields.map((field) => [field, sql`coalesce(${sourceValueOf(sql`c`, field)}, ${g[field]})`]),
  ),
  attributes: sql`${g.attributes} || ${declaredValues('group', sql`c`)}`,
  groupName: sql`c.name`,
  groupNameKey: sql`c.name_key`,
  parentId: sql`case when c.after ? 'parent' then p.id else ${g.parentId} end`,
  sourceDeptParentId: sql`coalesce(c.after->>'parent', ${g.sourceDeptParentId})`,
  sourceFields: rememberedFields('group', sql`c`),
  updatedAt: sql`now()`,
}

/**
 * Parents first: a level exists before the next one refers to it. Each parent is looked up by its key, which the `limit` sees
 * to: PostgreSQL does not know yet how many groups there are, and would compare every one with every change.
 */
const addLevelByLevel = async ({ tx }: RunPermit, planned: SQL, slot: string): Promise<void> => {
  const level = sql`
    with ready as (
      select c.run_id, c.seq, c.source_id, c.name, c.name_key, c.after, c.source_fields, p.id as parent_id
      from run_changes c left join lateral (
        select p.id from groups p
        where p.source = ${slot} and p.source_dept_id <> '' and p.source_dept_id = c.after->>'parent' limit 1
      ) p on true
      where ${planned} and c.action = 'add' and c.record_id is null and (p.id is not null or c.after->>'parent' is null)
    ), added as (
      ${insertSelect(groups, newColumns(slot))}
      from ready order by seq returning id, source_dept_id
    )
    update run_changes c set record_id = a.id from added a
    where c.source_id = a.source_dept_id and ${planned} and c.action = 'add' returning c.seq`
  await untilNone(tx, level)
  await tx.execute(sql`
    update run_changes c set state = 'failed', ${reasonSet(statements.no_group_above())}
    where ${planned} and c.action = 'add' and c.record_id is null`)
}

/** The groups that the moved and removed ones are below until then. */
const parentsOfMoved = async (tx: Tx, planned: SQL): Promise<number[]> => {
  const rows = await tx.execute<{ id: string }>(sql`
    select distinct g.parent_id as id from groups g join run_changes c on c.record_id = g.id
    where ${planned} and (c.action = 'remove' or c.after ? 'parent') and g.parent_id is not null`)
  return rows.map(({ id }) => Number(id))
}

const updateAndMove = async ({ tx }: RunPermit, planned: SQL, slot: string): Promise<void> => {
  await tx.execute(sql`
    update groups g set ${assignments(groups, changedColumns)}
    from run_changes c left join groups p on p.source = ${slot} and p.source_dept_id <> '' and p.source_dept_id = c.after->>'parent'
    where c.record_id = g.id and ${planned} and c.action in ('update', 'move')`)
}

/**
 * Removes groups, and touches everything whose entry changes: the name of a group is in the entries of its members, and its
 * place in the DN of every group below.
 */
const removeAndTouch = async ({ tx }: RunPermit, planned: SQL, formerParents: readonly number[]): Promise<void> => {
  // Read before the memberships are deleted with their groups; entries are locked after all rows, as in every change.
  const members = await tx.execute<{ id: string }>(sql`
    select distinct m.user_id as id from group_members m join run_changes c on c.record_id = m.group_id
    where ${planned} and (c.action = 'remove' or c.before ? 'groupName')`)
  const removed = await tx.execute<{ id: string }>(sql`
    delete from groups g using run_changes c where c.record_id = g.id and ${planned} and c.action = 'remove'
    returning g.id`)
  const subtrees = sql`
    with recursive below as (
      select c.record_id as id from run_changes c where ${planned} and c.action <> 'remove'
      union
      select g.id from groups g join below on g.parent_id = below.id
    )
    select id from below`
  await touchRearranged(tx, {
    ...{ subtrees, formerParents, deleted: removed.map(({ id }) => Number(id)) },
    people: members.map(({ id }) => Number(id)),
  })
}
