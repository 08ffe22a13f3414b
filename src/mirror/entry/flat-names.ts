import { type SQL, sql } from 'drizzle-orm'
import type { Db, Queryable } from '../../db/client.ts'
import { anyOfIds, idList } from '../../db/id-list.ts'
import { takeLock } from '../../db/locks.ts'
import { flatGroupNames } from '../../db/schema.ts'
import { stemOf } from '../../text/stem.ts'

/** A group that needs a name among all groups. */
export interface Nameless {
  id: number
  /** `ou` or `cn`: entries of different types have different DNs in any case. */
  type: string
  name: string
  key: string
}

/** The name of its entry. */
export interface FlatName extends Nameless {
  flatName: string
  flatKey: string
}

const place = (type: string, key: string): string => `${type}=${key}`

/** Characters of the name of a group, by the contract. */
const longest = 128

const stem = (name: string) => stemOf(name, longest)

/**
 * Of several groups of one name the first by its id gets it, the others append the smallest number that makes it free.
 * @param taken keys of the names of other groups, by type
 */
export const flatNamesFor = (
  nameless: readonly Nameless[],
  taken: Iterable<{ type: string; key: string }>,
): FlatName[] => {
  const used = new Set([...taken].map(({ type, key }) => place(type, key)))
  const inOrder = [...nameless].sort((a, b) => a.id - b.id)
  const plain = new Set(inOrder.map(({ type, key }) => place(type, key)))
  /** The next number for each name, so that many groups of one name take linear time. */
  const next = new Map<string, number>()
  return inOrder.map((group) => {
    const { type, name, key } = group
    let free = { flatName: name, flatKey: key }
    if (used.has(place(type, key))) {
      const { stem: text, stemKey } = stem(name)
      let number = next.get(place(type, stemKey)) ?? 2
      const isTaken = (one: string): boolean => used.has(place(type, one)) || plain.has(place(type, one))
      while (isTaken(`${stemKey}${number}`)) number++
      next.set(place(type, stemKey), number + 1)
      free = { flatName: `${text}${number}`, flatKey: `${stemKey}${number}` }
    }
    used.add(place(type, free.flatKey))
    return { ...group, ...free }
  })
}

/** Whether `f` is still the name of `g`, in a join of the two. */
export const isCurrentName = sql`f.made_from = g.group_name and f.group_type = g.group_type`

/** The groups without a current name, in the order of their ids. @param which a condition on `g` */
const namelessOf = async (tx: Queryable, which: SQL): Promise<Nameless[]> => {
  const rows = await tx.execute<Omit<Nameless, 'id'> & { id: string }>(sql`
    select g.id, g.group_type as type, g.group_name as name, g.group_name_key as key
    from groups g left join ${flatGroupNames} f on f.group_id = g.id and ${isCurrentName}
    where f.group_id is null and ${which} order by g.id`)
  return rows.map((row) => ({ ...row, id: Number(row.id) }))
}

/** The names of other groups that could be in the way. */
const takenNames = async (tx: Queryable, nameless: readonly Nameless[]): Promise<{ type: string; key: string }[]> => {
  const starts = [...new Set(nameless.flatMap(({ name, key }) => [key, stem(name).stemKey]))]
  const ids = nameless.map(({ id }) => id)
  return tx.execute<{ type: string; key: string }>(sql`
    select f.group_type as type, f.name_key as key from ${flatGroupNames} f
    where f.group_id <> all (array(${idList(ids)}))
      and exists (select from jsonb_array_elements_text(${JSON.stringify(starts)}::jsonb) as s (start)
        where left(f.name_key, length(s.start)) = s.start)`)
}

/** The names that groups without one would get. @param which a condition on `g` */
export const proposeFlatNames = async (tx: Queryable, which: SQL): Promise<FlatName[]> => {
  const nameless = await namelessOf(tx, which)
  return nameless.length === 0 ? [] : flatNamesFor(nameless, await takenNames(tx, nameless))
}

/** Gives groups without a current name one. Any instance may do the same at the same time. @returns their names */
export const assignFlatNames = (db: Db, ids: readonly number[]): Promise<Map<number, string>> =>
  db.transaction(async (tx) => {
    await takeLock(tx, 'flatGroupNames')
    await storeFlatNames(tx, await proposeFlatNames(tx, sql`g.id = ${anyOfIds(ids)}`))
    const rows = await tx.execute<{ id: string; name: string }>(sql`
      select f.group_id as id, f.name from ${flatGroupNames} f where f.group_id = ${anyOfIds(ids)}`)
    return new Map(rows.map(({ id, name }) => [Number(id), name]))
  })

/** The names that all groups without a current one would get; nothing is stored. */
export const foreseeFlatNames = async (db: Db): Promise<Map<number, string>> => {
  const names = await proposeFlatNames(db, sql`true`)
  return new Map(names.map(({ id, flatName }) => [id, flatName]))
}

/** Stores them; the caller holds the lock `flatGroupNames`. */
export const storeFlatNames = async (tx: Queryable, names: readonly FlatName[]): Promise<void> => {
  if (names.length === 0) return
  const are = anyOfIds(names.map(({ id }) => id))
  // As a change that deletes a group: the group first, then its name.
  await tx.execute(sql`select from groups g where g.id = ${are} order by g.id for key share`)
  // A name may pass from one of them to another.
  await tx.execute(sql`delete from ${flatGroupNames} where group_id = ${are}`)
  await tx.execute(sql`
    insert into ${flatGroupNames} (group_id, group_type, made_from, name, name_key)
    select n.id, n.type, n.name, n."flatName", n."flatKey"
    from jsonb_to_recordset(${JSON.stringify(names)}::jsonb)
      as n(id bigint, type text, name text, "flatName" text, "flatKey" text)
    where exists (select from groups g where g.id = n.id)
    order by n.id`)
}
