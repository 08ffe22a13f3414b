import { sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import type { RunProblem } from '../db/schema.ts'
import { settleClaims } from './claims.ts'
import { compareUsers, isNumbered } from './compare-users.ts'
import type { Plan, PlanOptions } from './plan.ts'
import { settleNumbers } from './posix-numbers.ts'
import { problem, problemsKept } from './problems.ts'
import { statements } from './statements.ts'

/**
 * Compares the snapshot of a source's people with those who were imported before, and writes the changes into
 * `run_changes`. People are identified by the source's id and by nothing else.
 */
export const planUsers = async (tx: Tx, options: PlanOptions): Promise<Plan> => {
  const numbers = await settleNumbers(tx, 'users', options)
  await compareUsers(tx, options)
  await settleClaims(tx)
  await findNames(tx)
  await writeChanges(tx, options.runId)
  const figures = await count(tx, options)
  const problems = await findProblems(tx, options)
  return { ...figures, problems: [...problems, ...numbers].slice(0, problemsKept) }
}

/** Whether the owner `u` of a username gets another one by this plan. */
const isHandedOn = sql`exists (
  select from compared p where p.record_id = u.id and p.renamed and p.action in ('update', 'move', 'enable')
    and p.name_key is distinct from u.username_key)`

/**
 * Of each stem as many numbers as people need one, in one pass: half of an organisation may have one name. The offsets keep
 * each look-up one by the index, and the numbers in their order.
 */
const freeNumbers = sql`
  select s.stem_key, n.turn, n.number
  from (select stem_key, count(*) as people from in_turn where clashes group by stem_key) s
  cross join lateral (
    select row_number() over () as turn, g.number from (select generate_series(2, 2147483647) as number) g
    where not exists (select from users u where u.username_key = s.stem_key || g.number offset 0)
      and not exists (select from wanted_keys k where k.key = s.stem_key || g.number offset 0)
    limit s.people) n`

/**
 * A username that is taken, or wanted by an earlier record, gets the smallest number after its stem that makes it free. One
 * that its owner gives up passes on; a number never makes one that another person has at present. Who has such a number
 * already keeps it.
 *
 * People and numbers are brought together by sorting: how many there will be is unknown to PostgreSQL, which would compare
 * each with each.
 */
const findNames = async (tx: Tx): Promise<void> => {
  // Each once: with an index on names that thousands have, PostgreSQL would rather read all of them for every number.
  await tx.execute(sql`create temporary table wanted_keys (key text primary key) on commit drop`)
  await tx.execute(sql`insert into wanted_keys select distinct name_key from compared where name_key is not null`)
  await tx.execute(sql`
    with wanted as (
      select c.*, row_number() over (partition by c.name_key order by c.source_id) > 1
          or exists (select from users u where u.username_key = c.name_key and u.id is distinct from c.record_id
            and not ${isHandedOn}) as taken,
        ${isNumbered(sql`c.stem_key`)} and not exists (select from wanted_keys k where k.key = c.username_key) as is_numbered
      from compared c where c.action = 'add' or (c.renamed and c.action in ('update', 'move', 'enable'))
    ), judged as (
      select source_id, stem, stem_key, taken and not is_numbered as clashes,
        case when taken and is_numbered then username else fields->>'username' end as name,
        case when taken and is_numbered then username_key else name_key end as key
      from wanted
    ), in_turn as (
      select j.*, row_number() over (partition by j.stem_key, j.clashes order by j.source_id) as turn from judged j
    ), numbers as (${freeNumbers}), numbered as (
      select t.*, max(t.number) over (partition by t.clashes, t.stem_key, t.turn) as found
      from (
        select source_id, stem, stem_key, clashes, name, key, turn, null::int as number from in_turn
        union all select null, null, stem_key, true, null, null, turn, number from numbers
      ) t
    )
    update compared c set
      new_username = case when f.clashes then f.stem || f.found else f.name end,
      new_key = case when f.clashes then f.stem_key || f.found else f.key end
    from numbered f where f.source_id = c.source_id`)
  await tx.execute(sql`
    with passing as (
      select c.source_id, u.id from compared c join users u on u.username_key = c.new_key and u.id is distinct from c.record_id
    )
    update compared c set entangled = true
    where c.source_id in (select source_id from passing) or c.record_id in (select id from passing)`)
}

/** Changes whose values pass to another person come first and are made together; an empty change is left out. */
const writeChanges = async (tx: Tx, runId: number): Promise<void> => {
  await tx.execute(sql`
    insert into run_changes (run_id, seq, action, source_id, record_id, version, name, name_key, before, after, entangled, source_fields)
    with compiled as (
      select c.*, coalesce(d.before, '{}') as before, coalesce(d.after, '{}') as after
      from compared c left join lateral (
        select jsonb_object_agg(f.key, c.current->f.key) filter (where c.current is not null) as before,
          jsonb_object_agg(f.key, f.value) as after
        from jsonb_each(c.fields - 'username' - c.lost) f
        where c.action <> 'disable' and (c.current is null or c.current->f.key is distinct from f.value)
      ) d on true
    ), whole as (
      select source_id, record_id, version, action, entangled, remembered, source_values, lost,
        coalesce(new_username, username) as name, coalesce(new_key, username_key) as name_key,
        before
          || case when new_username <> username then jsonb_build_object('username', username) else '{}' end
          || case when record_id is not null and action not in ('disable', 'add')
            and groups_wanted is distinct from groups_now and groups_wanted is not null
            then jsonb_build_object('memberOf', groups_now) else '{}' end
          || case when action in ('enable', 'disable') then jsonb_build_object('status', status) else '{}' end as before,
        after
          || case when new_username is distinct from username and new_username is not null
            then jsonb_build_object('username', new_username) else '{}' end
          || case when action <> 'disable' and groups_wanted is distinct from groups_now and groups_wanted is not null
            then jsonb_build_object('memberOf', groups_wanted) else '{}' end
          || case action when 'enable' then '{"status": 1}'::jsonb when 'disable' then '{"status": 2}' else '{}' end as after
      from compiled
    )
    select ${runId}::bigint, row_number() over (order by entangled desc, source_id), action, source_id, record_id, version,
      name, name_key, before, after, entangled,
      case action when 'disable' then coalesce(remembered, '{}') || '{"active": "no"}'
        else (coalesce(remembered, '{}') || (source_values - lost)) - 'active' end
    from whole where after <> '{}'`)
}

const count = async (tx: Tx, { runId, slot }: PlanOptions): Promise<Omit<Plan, 'problems'>> => {
  const [row] = await tx.execute<Record<'listed' | 'gone' | 'skipped' | 'ours', number>>(sql`
    with ours as (select source_user_id, status from users where source = ${slot} and source_user_id <> '')
    select count(*)::int as listed,
      (select count(*)::int from compared where not listed) as gone,
      count(*) filter (where o.source_user_id is null and (r.name_key is null or not r.active))::int as skipped,
      (select count(*)::int from ours where status = 1) as ours
    from run_records r left join ours o on o.source_user_id = r.source_id
    where r.run_id = ${runId}`)
  const [planned] = await tx.execute<Record<'added' | 'updated' | 'moved' | 'disabled', number>>(sql`
    select count(*) filter (where action = 'add')::int as added,
      count(*) filter (where action in ('update', 'enable'))::int as updated,
      count(*) filter (where action = 'move')::int as moved,
      count(*) filter (where action = 'disable')::int as disabled
    from run_changes where run_id = ${runId}`)
  if (row === undefined || planned === undefined) throw new Error('The counts answered no row')
  const total = row.listed + row.gone
  const { added, updated, moved, disabled } = planned
  const unchanged = total - row.skipped - added - updated - moved - disabled
  return { total, added, updated, moved, disabled, unchanged, skipped: row.skipped, ours: row.ours }
}

const findProblems = async (tx: Tx, { runId, slot, rootId }: PlanOptions): Promise<RunProblem[]> => {
  const records = await tx.execute<{ problem: RunProblem }>(sql`
    select p.problem from run_records r cross join lateral jsonb_array_elements(r.problems) p (problem)
    where r.run_id = ${runId} order by r.name_key is null desc, r.source_id limit ${problemsKept}`)
  const departments = await tx.execute<{ id: string; people: number }>(sql`
    select d.id, count(*)::int as people
    from run_records r cross join lateral jsonb_array_elements_text(r.department_ids) d (id)
    where r.run_id = ${runId} and not exists (select from groups g where g.source = ${slot} and g.source_dept_id <> '' and g.source_dept_id = d.id)
    group by d.id order by d.id limit ${problemsKept}`)
  const claims = await tx.execute<{ sourceId: string; name: string; field: string; holder: string | null }>(sql`
    select l.source_id as "sourceId", coalesce(c.new_username, c.username) as name, l.field, l.holder_name as holder
    from claims l join compared c using (source_id) where l.lost order by l.source_id, l.field limit ${problemsKept}`)
  const [root] = await tx.execute(sql`select from groups where source = ${slot} and source_dept_id = ${rootId}`)
  const advised = statements.import_departments()
  const unknown = departments.map(({ id, people }) =>
    problem({ sourceId: id, step: 'plan', stated: statements.unknown_department({ id, people }), advised }),
  )
  const never = problem({ step: 'plan', stated: statements.departments_missing(), advised })
  return [
    ...records.map(({ problem }) => problem),
    ...(root === undefined ? [never] : unknown),
    ...claims.map(({ sourceId, name, field, holder }) =>
      problem({
        ...{ sourceId, name, step: 'plan' },
        stated: holder === null ? statements.belongs_to_other({ field }) : statements.belongs_to({ field, holder }),
        advised: holder === null ? statements.correct() : statements.correct_or_clear({ holder }),
      }),
    ),
  ].slice(0, problemsKept)
}
