import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import type { RunProblem } from '../db/schema.ts'
import { mailKeyOf } from '../text/identity-keys.ts'
import type { Plan, PlanOptions } from './plan.ts'
import { problemsKept } from './problems.ts'
import { untilNone } from './until-none.ts'

/**
 * Compares the snapshot of a source's people with those taken over from it before, and writes what is to be done into
 * `run_changes`. People are known by the source's id for them and by nothing else.
 */
export const planUsers = async (tx: Tx, options: PlanOptions): Promise<Plan> => {
  await compare(tx, options)
  await settleClaims(tx)
  await findNames(tx)
  await writeChanges(tx, options.runId)
  const figures = await count(tx, options)
  const problems = await findProblems(tx, options)
  return { ...figures, problems }
}

/**
 * One row per person whom something is to be done about.
 *
 * A person who was disabled because he left the source is marked by `active: "no"` in what is remembered of him: he
 * is enabled again when he returns, and whoever was disabled by hand is not.
 */
const compare = async (tx: Tx, { runId, slot, wins }: PlanOptions): Promise<void> => {
  // Both sides are joined whole: with the usual 4 MB they would go through the disk.
  await tx.execute(sql`set local work_mem = '64MB'`)
  await tx.execute(sql`
    create temporary table compared (
      source_id text collate "C" primary key, record_id bigint, version bigint,
      listed boolean not null, active boolean not null, status smallint,
      -- As mapped; without what counts less than a change made here; and as it is here.
      said jsonb, fields jsonb, current jsonb, remembered jsonb,
      -- By which the fields of one person alone are compared: as they are to be, and as they are here.
      keys jsonb, held_keys jsonb,
      name_key text, stem text, stem_key text, username text, username_key text, renamed boolean not null,
      groups_now bigint[] not null, groups_wanted bigint[],
      action text not null,
      -- Fields whose value is somebody else's; whether a value is handed on, so that both changes belong together.
      lost text[] not null default '{}', entangled boolean not null default false,
      new_username text, new_key text
    ) on commit drop`)
  // While the table is empty: an index on rows that this transaction has changed would be of no use to it.
  await tx.execute(sql`create index on compared (record_id)`)
  await tx.execute(sql`create index on compared (name_key)`)
  await tx.execute(sql`
    insert into compared (source_id, record_id, version, listed, active, status, said, fields, current, remembered,
      keys, held_keys, name_key, stem, stem_key, username, username_key, renamed, groups_now, groups_wanted, action)
    with wanted as (
      select r.source_id, array_agg(distinct g.id order by g.id) as ids
      from run_records r cross join lateral jsonb_array_elements_text(r.department_ids) d (id)
      join groups g on g.source = ${slot} and g.source_dept_id <> '' and g.source_dept_id = d.id
      where r.run_id = ${runId} group by r.source_id
    ), held as (
      select m.user_id, array_agg(m.group_id order by m.group_id) as ids
      from group_members m join groups g on g.id = m.group_id
      where g.source = ${slot} and g.source_dept_id <> '' group by m.user_id
    ), ours as (
      select u.id, e.version, u.status, u.username, u.username_key, u.source_user_id, u.source_fields, held.ids as groups,
        jsonb_build_object('nickname', u.nickname, 'givenName', u.given_name, 'mail', u.mail, 'mobile', u.mobile,
          'jobNumber', u.job_number, 'avatar', u.avatar, 'introduction', u.introduction, 'position', u.position,
          'postalAddress', u.postal_address, 'departments', u.departments, 'sourceUnionId', u.source_union_id) as current,
        jsonb_build_object('mail', ${mailKeyOf(sql`u.mail`)}, 'mobile', u.mobile_key, 'jobNumber', u.job_number) as held_keys
      from users u
      left join directory_entries e on e.kind = 'user' and e.record_id = u.id
      left join held on held.user_id = u.id
      where u.source = ${slot} and u.source_user_id <> ''
    ), theirs as (
      select r.*, r.fields || case when r.union_id = '' then '{}' else jsonb_build_object('sourceUnionId', r.union_id) end as said
      from run_records r where r.run_id = ${runId}
    ), paired as (
      select coalesce(t.source_id, o.source_user_id) as source_id, o.id as record_id, o.version,
        t.source_id is not null as listed, coalesce(t.active, false) as active, o.status, t.said, o.current,
        case when o.id is null or ${wins} = 'source' or o.current @> (t.said - 'username') then t.said
          else (
            select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each_text(t.said) f
            where f.key = 'username' or o.current->>f.key = coalesce(o.source_fields->>f.key, '')
          ) end as fields,
        o.source_fields as remembered, o.held_keys, t.name_key, t.stem, t.stem_key, t.mobile_key, o.username, o.username_key, o.groups as groups_now, w.ids as groups_wanted
      from theirs t full join ours o on o.source_user_id = t.source_id left join wanted w on w.source_id = t.source_id
    ), judged as (
      select source_id, record_id, version, listed, active, status, said, fields, current, remembered,
        jsonb_strip_nulls(jsonb_build_object('mail', ${mailKeyOf(sql`(fields->>'mail')`)},
          'mobile', case when fields ? 'mobile' then mobile_key end, 'jobNumber', fields->>'jobNumber')) as keys, held_keys,
        name_key, stem, stem_key, username, username_key,
        coalesce(case
          when username = fields->>'username' then false
          -- The suffix that a clash once gave sticks.
          when remembered->>'username' = fields->>'username' then ${wins} = 'source'
            and not ${numbered(sql`stem_key`)} and not ${numbered(sql`name_key`)}
          else ${wins} = 'source' or starts_with(username, remembered->>'username')
            and substr(username, length(remembered->>'username') + 1) ~ '^(-?[0-9]+)?$'
        end, false) as renamed,
        coalesce(groups_now, '{}') as groups_now, groups_wanted
      from paired
    )
    select * from (select judged.*, case
      when listed and name_key is null then null
      when record_id is null then case when active then 'add' end
      when status = 1 and not active then 'disable'
      when not active then null
      when status = 2 and remembered->>'active' = 'no' then 'enable'
      when groups_wanted is distinct from groups_now and groups_wanted is not null then 'move'
      when renamed or not (current @> (fields - 'username')) then 'update' end as action
      from judged) decided
    where action is not null`)
  await tx.execute(sql`analyze compared (record_id, name_key, action)`)
}

/**
 * A mail address, a mobile and a job number are one person's. Who has one keeps it, unless this very plan takes it from
 * him; of several who come for one, the first by the source's id gets it. The others go without and have a problem.
 */
const settleClaims = async (tx: Tx): Promise<void> => {
  await tx.execute(sql`
    create temporary table claims (
      source_id text collate "C", field text, holder bigint, holder_name text, lost boolean not null, handed_on boolean not null
    ) on commit drop`)
  await tx.execute(sql`
    insert into claims
    with wanted as (
      select c.source_id, c.record_id, f.field, f.key
      from compared c cross join lateral jsonb_each_text(c.keys) f (field, key)
      where c.action in ('add', 'update', 'move', 'enable') and f.key <> '' and f.key is distinct from c.held_keys->>f.field
    ), placed as (
      select w.*, row_number() over (partition by w.field, w.key order by w.source_id) as place,
        coalesce(m.id, n.id, j.id) as holder, coalesce(m.username, n.username, j.username) as username
      from wanted w
      left join users m on w.field = 'mail' and m.mail <> '' and ${mailKeyOf(sql`m.mail`)} = w.key
      left join users n on w.field = 'mobile' and n.mobile_key <> '' and n.mobile_key = w.key
      left join users j on w.field = 'jobNumber' and j.job_number <> '' and j.job_number = w.key
    ), judged as (
      select p.*, c.action in ('update', 'move', 'enable') and c.keys->>p.field <> p.key as released
      from placed p left join compared c on c.record_id = p.holder
    )
    select source_id, field, holder, username, place > 1 or (holder is not null and released is not true),
      place = 1 and released is true from judged`)
  // Who does not get the value he came for keeps the one he has, and so does nobody get that.
  await untilNone(
    tx,
    sql`
    update claims l set lost = true, handed_on = false
    from compared c join claims own using (source_id)
    where l.handed_on and c.record_id = l.holder and own.field = l.field and own.lost returning l.source_id`,
  )
  await tx.execute(sql`
    update compared c set lost = l.fields
    from (select source_id, array_agg(field) as fields from claims where lost group by source_id) l
    where l.source_id = c.source_id`)
  await tx.execute(sql`
    update compared c set entangled = true
    where c.source_id in (select source_id from claims where handed_on)
      or c.record_id in (select holder from claims where handed_on)`)
}

/** Whether a username is this one with a number behind it. */
const numbered = (key: SQL): SQL => sql`coalesce(username_key <> ${key} and starts_with(username_key, ${key})
  and substr(username_key, length(${key}) + 1) ~ '^[0-9]+$', false)`

/**
 * A username that is taken, or wanted by a record before, gets the smallest number behind its stem that makes it free.
 */
const findNames = async (tx: Tx): Promise<void> => {
  await tx.execute(sql`
    with wanted as (
      select c.source_id, c.record_id, c.name_key, c.stem, c.stem_key, c.fields->>'username' as username,
        row_number() over (partition by c.name_key order by c.source_id) as place,
        exists (select from users u where u.username_key = c.name_key and u.id is distinct from c.record_id) as taken
      from compared c where c.action = 'add' or (c.renamed and c.action in ('update', 'move', 'enable'))
    ), in_turn as (
      select w.*, w.place > 1 or w.taken as clashes,
        row_number() over (partition by w.stem_key, w.place > 1 or w.taken order by w.source_id) as turn
      from wanted w
    ), found as (
      select w.*, case when w.clashes then (
        select g.number from (select generate_series(2, 2147483647) as number) g
        where not exists (
            select from users u where u.username_key = w.stem_key || g.number and u.id is distinct from w.record_id)
          and not exists (select from compared p where p.name_key = w.stem_key || g.number)
        limit 1 offset w.turn - 1) end as number
      from in_turn w
    )
    update compared c set
      new_username = case when f.clashes then f.stem || f.number else f.username end,
      new_key = case when f.clashes then f.stem_key || f.number else f.name_key end
    from found f where f.source_id = c.source_id`)
}

/** Changes whose values are handed on come first and are made together; a change that came to nothing is left out. */
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
      select source_id, record_id, version, action, entangled, remembered, said, lost,
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
        else (coalesce(remembered, '{}') || (said - lost)) - 'active' end
    from whole where after <> '{}'`)
}

const count = async (tx: Tx, { runId, slot }: PlanOptions): Promise<Omit<Plan, 'problems'>> => {
  const [row] = await tx.execute<Record<'listed' | 'gone' | 'skipped' | 'ours', number>>(sql`
    with ours as (select source_user_id, status from users where source = ${slot} and source_user_id <> '')
    select count(*)::int as listed,
      (select count(*)::int from compared where not listed) as gone,
      count(*) filter (where r.name_key is null or (not r.active and o.source_user_id is null))::int as skipped,
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
  const advice = 'Sync the departments of this source'
  const unknown = departments.map(({ id, people }) => ({
    ...{ sourceId: id, name: '', step: 'plan', advice },
    reason: `department ${id} is not known here; people in it: ${people}`,
  }))
  const never = {
    sourceId: '',
    name: '',
    step: 'plan',
    reason: 'the departments of this source were never synced',
    advice,
  }
  return [
    ...records.map(({ problem }) => problem),
    ...(root === undefined ? [never] : unknown),
    ...claims.map(({ sourceId, name, field, holder }) => ({
      sourceId,
      name,
      step: 'plan',
      reason: `${field}: is that of ${holder ?? 'another record of the source'} already; left out`,
      advice: holder ? `Correct it at the source, or clear it on ${holder}` : 'Correct it at the source',
    })),
  ].slice(0, problemsKept)
}
