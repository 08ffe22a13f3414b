import { sql } from 'drizzle-orm'
import type { Db, Queryable } from '../../db/client.ts'
import { takeLock } from '../../db/locks.ts'
import { posixNumbers } from '../../db/schema.ts'
import type { Directory } from '../../ldap/directory.ts'
import type { PosixSettings } from '../entry/posix.ts'
import type { RecordKind } from '../touch.ts'

/** A record that is to have a number; `dn` null: it has no entry yet. */
export interface Numberless {
  id: number
  dn: string | null
}

/** The attribute that has the number. */
const attributeOf = { user: 'uidNumber', group: 'gidNumber' } as const

/** Entries read at the same time. */
const readAtOnce = 50
/** The overflow number of Linux, and that of no user where numbers have 16 bits. */
const reserved = [65_534, 65_535]

/** Whether a record may have a number: those of the system's own accounts, below 500, are never taken over. */
export const isUsable = (number: number): boolean => number >= 500 && number < 2 ** 32 - 2 && !reserved.includes(number)

/** @returns null: the text, which may come from anywhere, is not a number that a record may have */
export const usableNumber = (text: string): number | null =>
  /^[1-9]\d{2,9}$/.test(text) && isUsable(Number(text)) ? Number(text) : null

/** Numbers that are given to no record: that of everyone's group would let everyone at the files of another group. */
const notGiven = ({ primaryGid }: Pick<PosixSettings, 'primaryGid'>): number[] =>
  primaryGid === null ? reserved : [...reserved, primaryGid]

/**
 * Gives records their numbers, for ever: the number that the entry already has, where another tool wrote one and no other
 * record has it, otherwise the next of the range. Any instance may do the same at the same time.
 * @returns the numbers by id; a record that is absent got none, because the range is used up
 * @throws DirectoryError
 */
export const assignNumbers = async (
  { db, directory }: { db: Db; directory: Pick<Directory, 'read'> },
  settings: Pick<PosixSettings, 'numbers' | 'primaryGid'>,
  kind: RecordKind,
  records: readonly Numberless[],
): Promise<ReadonlyMap<number, number>> => {
  const found = await numbersInDirectory(directory, kind, records)
  const ids = records.map(({ id }) => id)
  return db.transaction(async (tx) => {
    await takeLock(tx, 'posixNumbers')
    await importNumbers(tx, kind, found)
    await giveNumbers(tx, kind, ids, settings)
    const rows = await tx.execute<{ id: string; number: string }>(sql`
      select record_id as id, number from ${posixNumbers}
      where kind = ${kind} and record_id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)::bigint)`)
    return new Map(rows.map((row) => [Number(row.id), Number(row.number)]))
  })
}

/** The numbers that the entries of these records have, if a record may have them. */
const numbersInDirectory = async (
  directory: Pick<Directory, 'read'>,
  kind: RecordKind,
  records: readonly Numberless[],
): Promise<{ id: number; number: number }[]> => {
  const found: { id: number; number: number }[] = []
  for (let from = 0; from < records.length; from += readAtOnce) {
    const some = records.slice(from, from + readAtOnce).map(async ({ id, dn }) => {
      const entry = dn === null ? null : await directory.read(dn, [attributeOf[kind]])
      const number = usableNumber(entry?.attributes[attributeOf[kind]]?.[0] ?? '')
      if (number !== null) found.push({ id, number })
    })
    await Promise.all(some)
  }
  return found
}

/**
 * The numbers that `assignNumbers` would give, for a dry run: none is given. Several calls know of each other, but another
 * instance may give a number before the comparison.
 */
export const numbersForeseen = (db: Db) => {
  const load = async ({
    numbers: { from, to },
    ...rest
  }: PosixSettings): Promise<{ taken: Set<number>; top: number }> => {
    const rows = await db.execute<{ number: string; imported: boolean }>(sql`
      select n.number, n.imported from ${posixNumbers} n`)
    const given = rows.map(({ number, imported }) => ({ number: Number(number), imported }))
    const inRange = given.filter(({ number, imported }) => !imported && number >= from && number <= to)
    return {
      taken: new Set([...given.map(({ number }) => number), ...notGiven(rest)]),
      top: inRange.reduce((top, { number }) => Math.max(top, number), from - 1),
    }
  }
  let loading: ReturnType<typeof load> | undefined
  return async (
    directory: Pick<Directory, 'read'>,
    settings: PosixSettings,
    kind: RecordKind,
    records: readonly Numberless[],
  ): Promise<ReadonlyMap<number, number>> => {
    loading ??= load(settings)
    const known = await loading
    const foreseen = new Map<number, number>()
    for (const { id, number } of await numbersInDirectory(directory, kind, records)) {
      if (known.taken.has(number)) continue
      known.taken.add(number)
      foreseen.set(id, number)
    }
    for (const { id } of [...records].sort((a, b) => a.id - b.id)) {
      if (foreseen.has(id)) continue
      do known.top++
      while (known.taken.has(known.top))
      if (known.top > settings.numbers.to) break
      known.taken.add(known.top)
      foreseen.set(id, known.top)
    }
    return foreseen
  }
}

/** Stores numbers that records have elsewhere; one that another record has, or had, is left out. */
export const importNumbers = async (
  tx: Queryable,
  kind: RecordKind,
  found: readonly { id: number; number: number }[],
): Promise<void> => {
  await tx.execute(sql`
    insert into ${posixNumbers} (number, kind, record_id, imported)
    select f.number, ${kind}, f.id, true
    from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as f (id bigint, number bigint) order by f.id
    on conflict do nothing`)
}

/** The next numbers after all that were given, without those that were imported or are never given. */
const giveNumbers = async (
  tx: Queryable,
  kind: RecordKind,
  ids: readonly number[],
  settings: Pick<PosixSettings, 'numbers' | 'primaryGid'>,
): Promise<void> => {
  const { from, to } = settings.numbers
  const without = notGiven(settings)
  await tx.execute(sql`
    with lacking as (
      select i.id, row_number() over (order by i.id) as place
      from (select distinct value::bigint as id from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)) i
      where not exists (select from ${posixNumbers} n where n.kind = ${kind} and n.record_id = i.id)
    ), top as (
      select coalesce(max(n.number), ${from - 1}) as number from ${posixNumbers} n
      where not n.imported and n.number between ${from} and ${to}
    ), free as (
      select s.number, row_number() over (order by s.number) as place
      from top, generate_series(top.number + 1, least(${to}::bigint, top.number + (select count(*) from lacking)
        + (select count(*) from ${posixNumbers} n where n.number > top.number and n.number <= ${to})
        + ${without.length}::int)) as s (number)
      where s.number not in (${sql.join(without, sql`, `)}) and not exists (select from ${posixNumbers} n where n.number = s.number)
    )
    insert into ${posixNumbers} (number, kind, record_id)
    select f.number, ${kind}, l.id from lacking l join free f using (place)`)
}
