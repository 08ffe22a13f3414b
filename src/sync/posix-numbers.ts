import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { takeLock } from '../db/locks.ts'
import { groups, posixNumbers, type RunProblem, users } from '../db/schema.ts'
import type { RecordKind } from '../mirror/touch.ts'
import { posixNumberField } from './mapping/fields.ts'
import { problem, problemsKept } from './problems.ts'
import { type RunKind, recordKindOf } from './run-request.ts'
import { statements } from './statements.ts'

// The numbers that a source gives to POSIX accounts and groups. They are for ever: a record that has one keeps it, and no
// other record gets one that was ever given.

const name = posixNumberField
const records: Readonly<Record<RecordKind, { here: SQL; id: SQL }>> = {
  user: { here: sql`${users}`, id: sql`h.source_user_id` },
  group: { here: sql`${groups}`, id: sql`h.source_dept_id` },
}

/** The records of a run to which the source gives a number, with the number of the record here and who has that one. */
const givenNumbers = (kind: RunKind, { runId, slot }: { runId: number; slot: string }): SQL => {
  const { here, id } = records[recordKindOf(kind)]
  return sql`
    select t.source_id, t.name, t.number, own.number as present,
      own.number is null and (holder.number is not null or t.place > 1) as taken
    from (
      select source_id, coalesce(fields->>'nickname', fields->>'groupName', '') as name,
        (fields->>${name}::text)::bigint as number,
        row_number() over (partition by fields->>${name}::text order by source_id collate "C") as place
      from run_records where run_id = ${runId} and fields->>${name}::text <> ''
    ) t
    left join ${here} h on h.source = ${slot} and ${id} <> '' and ${id} = t.source_id
    left join ${posixNumbers} own on own.kind = ${recordKindOf(kind)} and own.record_id = h.id
    left join ${posixNumbers} holder on holder.number = t.number`
}

/** Takes the numbers that records cannot have out of the snapshot. @returns which, for the report */
export const settleNumbers = async (
  tx: Tx,
  kind: RunKind,
  run: { runId: number; slot: string },
): Promise<RunProblem[]> => {
  const [some] = await tx.execute(sql`select from run_records where run_id = ${run.runId} and fields ? ${name} limit 1`)
  if (some === undefined) return []
  const rows = await tx.execute<{ sourceId: string; name: string; number: string; present: string | null }>(sql`
    with given as (${givenNumbers(kind, run)}), refused as (
      update run_records r set fields = r.fields - ${name}::text from given s
      where r.run_id = ${run.runId} and r.source_id = s.source_id and (s.taken or s.present <> s.number)
      returning s.source_id as "sourceId", s.name, s.number, s.present
    )
    select * from refused order by "sourceId" collate "C" limit ${problemsKept}`)
  await tx.execute(sql`
    update run_records set fields = fields - ${name}::text where run_id = ${run.runId} and fields->>${name}::text = ''`)
  return rows.map(({ sourceId, name, number, present }) =>
    problem({
      ...{ sourceId, name, step: 'plan' },
      stated: present === null ? statements.number_taken({ number }) : statements.number_kept({ number, present }),
      advised: statements.correct(),
    }),
  )
}

/** Joins the number of a record as `n`. */
export const joinNumber = (kind: RecordKind, id: SQL): SQL =>
  sql`left join ${posixNumbers} n on n.kind = ${sql.raw(`'${kind}'`)} and n.record_id = ${id}`

/** The number in `n` as a text to compare; '': the record has none. */
export const numberText: SQL = sql.raw(`jsonb_build_object('${name}', coalesce(n.number::text, ''))`)

/** Stores the numbers of these changes. One that another record was given meanwhile is left to the next run. */
export const keepNumbers = async (tx: Tx, kind: RecordKind, planned: SQL): Promise<void> => {
  const changes = sql`from run_changes c
    where ${planned} and c.record_id is not null and coalesce(c.after->>${name}::text, '') <> ''`
  const [some] = await tx.execute(sql`select ${changes} limit 1`)
  if (some === undefined) return
  await takeLock(tx, 'posixNumbers')
  await tx.execute(sql`
    insert into ${posixNumbers} (number, kind, record_id, imported)
    select (c.after->>${name}::text)::bigint, ${kind}, c.record_id, true ${changes} order by c.seq
    on conflict do nothing`)
}
