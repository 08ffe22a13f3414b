import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Tx } from '../db/client.ts'
import { columnName } from '../db/column-sql.ts'
import { users } from '../db/schema.ts'
import type { MappedUserField, UniqueUserField } from '../db/tables/fields.ts'
import { mailKeyOf } from '../text/identity-keys.ts'

/** Fields whose values are unique, except the username, for which another value can be found. */
export type ClaimedField = Exclude<UniqueUserField & MappedUserField, 'username'>

interface Claim {
  /** The column whose values the unique index compares. */
  column: 'mail' | 'mobileKey' | 'jobNumber'
  /** The key of a value in that index. */
  key: (value: SQLWrapper) => SQL
  /** The key of the source's value, of rows with `fields` and `mobile_key`; null: the source has no value. */
  sourceKey: SQL
}

const itself = (value: SQLWrapper): SQL => sql`${value}`

const claims: Readonly<Record<ClaimedField, Claim>> = {
  mail: { column: 'mail', key: mailKeyOf, sourceKey: mailKeyOf(sql`(fields->>'mail')`) },
  mobile: { column: 'mobileKey', key: itself, sourceKey: sql`case when fields ? 'mobile' then mobile_key end` },
  jobNumber: { column: 'jobNumber', key: itself, sourceKey: sql`fields->>'jobNumber'` },
}

const claimed = Object.entries(claims) as [ClaimedField, Claim][]

const u = alias(users, 'u')

/** The keys of people's present values, of `users u`: one for each field. */
export const heldKeys = Object.fromEntries(claimed.map(([field, { column, key }]) => [field, key(u[column])]))

/** The keys of the source's values: one for each field. */
export const sourceKeys = Object.fromEntries(claimed.map(([field, { sourceKey }]) => [field, sourceKey]))

/** Clears the values of `users u` that a change `c` removes. A username has a key that no person can have until then. */
export const emptied: SQL = sql.join(
  [
    sql`username_key = case when c.before ? 'username' then ' ' || u.id else u.username_key end`,
    ...claimed.flatMap(([field, { column }]) =>
      [...new Set([field, column])].map((name) => {
        const current = columnName(users[name])
        return sql`${current} = case when c.before ? ${sql.raw(`'${field}'`)} then '' else u.${current} end`
      }),
    ),
  ],
  sql`, `,
)

const holders = claimed.map(([field, claim]) => ({ field, ...claim, holder: alias(users, `holder_${field}`) }))

/** Joins the owner of the value in `w`, by the index of its field alone. */
const joinHolders: SQL = sql.join(
  holders.map(({ field, column, key, holder }) => {
    const value = holder[column]
    return sql`left join ${users} as ${holder}
      on w.field = ${sql.raw(`'${field}'`)} and ${value} <> '' and ${key(value)} = w.key`
  }),
  sql` `,
)

const anyHolder = (column: 'id' | 'username'): SQL =>
  sql`coalesce(${sql.join(
    holders.map(({ holder }) => sql`${holder[column]}`),
    sql`, `,
  )})`

/**
 * A mail address, a mobile and a job number belong to one person. The owner keeps it, unless this plan takes it from
 * them; of several people who want one, the first by the source's id gets it. The others get no value and a problem.
 */
export const settleClaims = async (tx: Tx): Promise<void> => {
  await tx.execute(sql`
    create temporary table claims (
      source_id text collate "C", field text, holder bigint, holder_name text, lost boolean not null, handed_on boolean not null
    ) on commit drop`)
  await tx.execute(sql`create index on claims (holder) where handed_on`)
  await tx.execute(sql`
    insert into claims
    with wanted as (
      select c.source_id, c.record_id, f.field, f.key
      from compared c cross join lateral jsonb_each_text(c.keys) f (field, key)
      where c.action in ('add', 'update', 'move', 'enable') and f.key <> '' and f.key is distinct from c.held_keys->>f.field
    ), placed as (
      select w.*, row_number() over (partition by w.field, w.key order by w.source_id) as place,
        ${anyHolder('id')} as holder, ${anyHolder('username')} as username
      from wanted w ${joinHolders}
    ), judged as (
      select p.*, c.action in ('update', 'move', 'enable') and c.keys->>p.field <> p.key as released
      from placed p left join compared c on c.record_id = p.holder
    )
    select source_id, field, holder, username, place > 1 or (holder is not null and released is not true),
      place = 1 and released is true from judged`)
  // A person who does not get the new value keeps the present one, so that it is not free for others. All along a chain at
  // once: a renumbering may hand on the numbers of a whole organisation.
  await tx.execute(sql`
    with recursive losing as (
      select source_id, field from claims where lost
      union
      select l.source_id, l.field from losing x join compared c on c.source_id = x.source_id
        join claims l on l.handed_on and l.holder = c.record_id and l.field = x.field
    )
    update claims l set lost = true, handed_on = false from losing x
    where l.handed_on and l.source_id = x.source_id and l.field = x.field`)
  await tx.execute(sql`
    update compared c set lost = l.fields
    from (select source_id, array_agg(field) as fields from claims where lost group by source_id) l
    where l.source_id = c.source_id`)
  await tx.execute(sql`
    update compared c set entangled = true
    where c.source_id in (select source_id from claims where handed_on)
      or c.record_id in (select holder from claims where handed_on)`)
}

/**
 * The values that changes bring which only one person may have: rows of `seq`, `field` and `key`.
 * @param wanted selects the changes, of `run_changes c`
 * @param numbers is mobilesByKey of them
 */
export const valuesBrought = (wanted: SQL, numbers: SQL): SQL =>
  unionOf([
    sql`select c.seq, 'username' as field, c.name_key as key from run_changes c where ${wanted} and c.after ? 'username'`,
    ...claimed.map(([field, { column, key }]) => {
      const name = sql.raw(`'${field}'`)
      // The key of a mobile is in no change.
      return column === field
        ? sql`select c.seq, ${name}, ${key(sql`(c.after->>${name})`)} from run_changes c where ${wanted} and c.after->>${name} <> ''`
        : sql`select c.seq, ${name}, k.key from run_changes c join ${numbers} on k.seq = c.seq where ${wanted} and k.key <> ''`
    }),
  ])

/** The values that changes take away from those who have them now, in the same form. */
export const valuesReleased = (wanted: SQL): SQL => {
  const from = sql`from run_changes c join ${users} as ${u} on ${u.id} = c.record_id where ${wanted} and c.action <> 'add'`
  return unionOf([
    sql`select c.seq, 'username' as field, ${u.usernameKey} as key ${from} and c.before ? 'username'`,
    ...claimed.map(([field, { column, key }]) => {
      const name = sql.raw(`'${field}'`)
      return sql`select c.seq, ${name}, ${key(u[column])} ${from} and c.before ? ${name} and ${u[column]} <> ''`
    }),
  ])
}

const unionOf = (selections: readonly SQL[]): SQL => sql.join([...selections], sql` union all `)
