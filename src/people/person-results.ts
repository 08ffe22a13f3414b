import { sql } from 'drizzle-orm'
import type { Queryable } from '../db/client.ts'
import { anyOfIds } from '../db/id-list.ts'
import { users } from '../db/schema.ts'
import type { Stated } from '../failures/errors.ts'
import type { components } from '../generated/operations.types.ts'

export type PersonChanged = components['schemas']['PersonChanged']

/** What the people are called that exist, by their ids. */
export type Names = ReadonlyMap<number, { name: string; username: string }>

export const namesOf = async (db: Queryable, ids: readonly number[]): Promise<Names> => {
  const rows = await db.execute<{ id: string; name: string; username: string }>(sql`
    select ${users.id} as id, ${users.username} as username,
      coalesce(nullif(${users.nickname}, ''), ${users.username}) as name
    from ${users} where ${users.id} = ${anyOfIds(ids)}`)
  return new Map(rows.map(({ id, name, username }) => [Number(id), { name, username }]))
}

interface Results {
  ids: readonly number[]
  names: Names
  refused: ReadonlyMap<number, Stated>
  changed: ReadonlySet<number>
}

/** What became of each person, in the order of `ids`. */
export const personResults = ({ ids, names, refused, changed }: Results): PersonChanged[] =>
  ids.map((id) => {
    const name = names.get(id)?.name ?? ''
    const refusal = refused.get(id)
    if (refusal !== undefined) {
      const { reason, params, message } = refusal
      return { id, name, result: 'refused', reason, params, message }
    }
    return { id, name, result: changed.has(id) ? 'changed' : 'unchanged', reason: null, params: {}, message: null }
  })

export const counted = (people: readonly PersonChanged[]) => {
  const count = (wanted: PersonChanged['result']): number => people.filter(({ result }) => result === wanted).length
  return { changed: count('changed'), unchanged: count('unchanged'), refused: count('refused') }
}
