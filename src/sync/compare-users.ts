import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { pick } from '../collections/pick.ts'
import type { Tx } from '../db/client.ts'
import { jsonbObject, written } from '../db/json-record.ts'
import { users } from '../db/schema.ts'
import { mainDirectory } from '../mirror/touch.ts'
import { heldKeys, sourceKeys } from './claims.ts'
import { declaredTexts } from './declared-fields.ts'
import { plainUserFields } from './plain-fields.ts'
import type { PlanOptions } from './plan.ts'
import { joinNumber, numberText } from './posix-numbers.ts'

/**
 * Fills `compared`: one row per person who is to be added, changed or disabled.
 *
 * A person who was disabled because they left the source is marked by `active: "no"` in their stored source values: they
 * are enabled again when they return, and a person who was disabled by hand is not.
 */
export const compareUsers = async (tx: Tx, { runId, slot, wins }: PlanOptions): Promise<void> => {
  // Both sides are joined whole: with the usual 4 MB they would go through the disk.
  await tx.execute(sql`set local work_mem = '64MB'`)
  await tx.execute(createCompared)
  // While the table is empty: an index on rows that this transaction has changed would be of no use to it.
  await tx.execute(sql`create index on compared (record_id)`)
  await tx.execute(sql`create index on compared (name_key)`)
  await tx.execute(sql`
    insert into compared (${judgedColumns}, action)
    with wanted as (${wantedGroups(runId, slot)}),
    held as (${heldGroups(slot)}),
    ours as (${peopleHere(slot)}),
    theirs as (${peopleThere(runId)}),
    paired as (${paired(wins)}),
    judged as (${judged(wins)}),
    decided as (select judged.*, ${action} as action from judged)
    select ${judgedColumns}, action from decided where action is not null`)
  await tx.execute(sql`analyze compared (record_id, name_key, action)`)
}

const createCompared = sql`
  create temporary table compared (
    source_id text collate "C" primary key, record_id bigint, version bigint,
    listed boolean not null, active boolean not null, status smallint,
    -- As mapped; without what counts less than a change made here; and as it is here.
    source_values jsonb, fields jsonb, current jsonb, remembered jsonb,
    -- By which the fields of one person alone are compared: as they are to be, and as they are here.
    keys jsonb, held_keys jsonb,
    name_key text, stem text, stem_key text, username text, username_key text, renamed boolean not null,
    groups_now bigint[] not null, groups_wanted bigint[],
    action text not null,
    -- Fields whose value is another person's; whether a value is handed on, so that both changes belong together.
    lost text[] not null default '{}', entangled boolean not null default false,
    new_username text, new_key text
  ) on commit drop`

/** The columns of `compared` that `judged` fills. */
const judgedColumns = sql.raw(
  [
    ...[
      'source_id',
      'record_id',
      'version',
      'listed',
      'active',
      'status',
      'source_values',
      'fields',
      'current',
      'remembered',
    ],
    ...['keys', 'held_keys', 'name_key', 'stem', 'stem_key', 'username', 'username_key', 'renamed'],
    ...['groups_now', 'groups_wanted'],
  ].join(', '),
)

/** People's groups at the source, as far as those groups exist here. */
const wantedGroups = (runId: number, slot: string): SQL => sql`
  select r.source_id, array_agg(distinct g.id order by g.id) as ids
  from run_records r cross join lateral jsonb_array_elements_text(r.department_ids) d (id)
  join groups g on g.source = ${slot} and g.source_dept_id <> '' and g.source_dept_id = d.id
  where r.run_id = ${runId} group by r.source_id`

/** People's groups here, as far as those groups are this source's. */
const heldGroups = (slot: string): SQL => sql`
  select m.user_id, array_agg(m.group_id order by m.group_id) as ids
  from group_members m join groups g on g.id = m.group_id
  where g.source = ${slot} and g.source_dept_id <> '' group by m.user_id`

const u = alias(users, 'u')
const current = written(
  sql`(${jsonbObject(pick(u, plainUserFields))} || ${declaredTexts(u.attributes)} || ${numberText})`,
)
const currentKeys = written(jsonbObject(heldKeys))

/** The people who were imported before. */
const peopleHere = (slot: string): SQL => sql`
  select u.id, e.version, u.status, u.username, u.username_key, u.source_user_id, u.source_fields, held.ids as groups,
    ${current} as current, ${currentKeys} as held_keys
  from users u
  left join directory_entries e on e.directory = ${mainDirectory} and e.kind = 'user' and e.record_id = u.id
  left join held on held.user_id = u.id
  ${joinNumber('user', sql`u.id`)}
  where u.source = ${slot} and u.source_user_id <> ''`

/** The people whom the source returned. */
const peopleThere = (runId: number): SQL => sql`
  select r.*, r.fields || case when r.union_id = '' then '{}' else jsonb_build_object('sourceUnionId', r.union_id) end as source_values
  from run_records r where r.run_id = ${runId}`

/** Each person with their record here and the source's values. */
const paired = (wins: PlanOptions['wins']): SQL => sql`
  select coalesce(t.source_id, o.source_user_id) as source_id, o.id as record_id, o.version,
    t.source_id is not null as listed, coalesce(t.active, false) as active, o.status,
    t.source_values, ${followed(wins)} as fields, o.current, o.source_fields as remembered, o.held_keys,
    t.name_key, t.stem, t.stem_key, t.mobile_key, o.username, o.username_key,
    o.groups as groups_now, w.ids as groups_wanted
  from theirs t
  full join ours o on o.source_user_id = t.source_id
  left join wanted w on w.source_id = t.source_id`

/** The source's values that win: all of them, or those of fields that were not changed here since the last import. */
const followed = (wins: PlanOptions['wins']): SQL => sql`
  case when o.id is null or ${wins} = 'source' or o.current @> (t.source_values - 'username') then t.source_values
    else (
      select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each_text(t.source_values) f
      where f.key = 'username' or coalesce(o.current->>f.key, '') = coalesce(o.source_fields->>f.key, '')
    ) end`

/** The same, with whether the person is renamed, and the keys by which their values are compared. */
const judged = (wins: PlanOptions['wins']): SQL => sql`
  select source_id, record_id, version, listed, active, status, source_values, fields, current, remembered,
    jsonb_strip_nulls(${jsonbObject(sourceKeys)}) as keys, held_keys,
    name_key, stem, stem_key, username, username_key, ${isRenamed(wins)} as renamed,
    coalesce(groups_now, '{}') as groups_now, groups_wanted
  from paired`

const isRenamed = (wins: PlanOptions['wins']): SQL => sql`
  coalesce(case
    -- Without a usable username at the source they keep the one they have.
    when name_key is null then false
    when username = fields->>'username' then false
    -- The suffix that a clash once gave sticks.
    when remembered->>'username' = fields->>'username' then ${wins} = 'source'
      and not ${isNumbered(sql`stem_key`)} and not ${isNumbered(sql`name_key`)}
    else ${wins} = 'source' or starts_with(username, remembered->>'username')
      and substr(username, length(remembered->>'username') + 1) ~ '^(-?[0-9]+)?$'
  end, false)`

/** Whether a username is this one with a number appended. */
export const isNumbered = (key: SQL): SQL => sql`coalesce(username_key <> ${key} and starts_with(username_key, ${key})
  and substr(username_key, length(${key}) + 1) ~ '^[0-9]+$', false)`

/** The change to make; null: none. */
const action = sql`
  case
    when record_id is null then case when active and name_key is not null then 'add' end
    when status = 1 and not active then 'disable'
    when not active then null
    when status = 2 and remembered->>'active' = 'no' then 'enable'
    when groups_wanted is distinct from groups_now and groups_wanted is not null then 'move'
    when renamed or not (current @> (fields - 'username')) then 'update' end`
