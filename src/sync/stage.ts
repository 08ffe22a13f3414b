import { sql } from 'drizzle-orm'
import { mapInTimeSlices } from '../concurrency/time-slices.ts'
import type { Db } from '../db/client.ts'
import { type RunProblem, runRecords } from '../db/schema.ts'
import type { Statement } from '../failures/statement.ts'
import { matchingKey } from '../ldap/dn.ts'
import type { Reading, Source } from '../sources/source.ts'
import type { MobileKey } from '../text/identity-keys.ts'
import { stemOf } from '../text/stem.ts'
import { type Gap, gapOf } from './gaps.ts'
import { longestNames, nameFields } from './mapping/fields.ts'
import type { Mapped, Mapping } from './mapping/mapping.ts'
import { problem } from './problems.ts'
import type { RunKind } from './run-request.ts'
import type { RunContext } from './runs.ts'
import { isUsableId, longestId } from './source-ids.ts'
import { statements } from './statements.ts'
import { withoutRepeats } from './versions.ts'

/** The result of reading a source, besides its rows. */
export interface Staged {
  /** The number of records, each counted once however often the source returned it. */
  records: number
  /** Why the snapshot is incomplete; empty: it is complete. */
  gaps: Gap[]
  /** What the source says besides, for the report. */
  notes: RunProblem[]
}

interface Row {
  sourceId: string
  parentSourceId: string
  departmentIds: string[]
  unionId: string
  active: boolean
  fields: Record<string, string>
  nameKey: string | null
  stem: string
  stemKey: string
  mobileKey: string
  problems: RunProblem[]
}

export interface StageOptions {
  db: Db
  source: Source
  kind: RunKind
  mapping: Mapping
  mobileKey: MobileKey
  run: Pick<RunContext, 'id' | 'signal' | 'progress'>
  /** Whether the record with an id is written; without it all are. */
  only?: (sourceId: string) => boolean
}

/**
 * Reads all records of one kind from a source into `run_records`, mapped to our fields. The rows are the same in
 * whatever order and however often the source returns a record.
 * @throws SourceError when the source could not be read to its end
 */
export const stage = async ({ db, source, kind, mapping, mobileKey, run, only }: StageOptions): Promise<Staged> => {
  const gaps = new Map<string, Gap>()
  const notes: RunProblem[] = []
  let left = 0
  const reading: StagedReading = {
    signal: run.signal,
    gap: (reason, all) => {
      const gap = gapOf(reason, all)
      gaps.set(gap.key, gap)
    },
    note: (stated: Statement, advised: Statement) => void notes.push(problem({ step: 'reading', stated, advised })),
    usable(records) {
      const usable = records.filter(({ id }) => id !== '' && isUsableId(id))
      left += records.length - usable.length
      return usable
    },
  }
  const batches =
    kind === 'users' ? people(source, reading, { mapping, mobileKey }) : departments(source, reading, mapping)
  let records = 0
  const writeAll = async (rows: readonly Row[]): Promise<void> => {
    const wanted = only === undefined ? rows : rows.filter(({ sourceId }) => only(sourceId))
    for (const batch of withoutRepeats(wanted)) records += await write(db, run.id, batch)
    run.progress('reading', records, null)
  }
  // The next records are requested while SQL writes the ones before.
  let writing: Promise<void> = Promise.resolve()
  try {
    for await (const rows of gathered(batches)) {
      await writing
      run.signal.throwIfAborted()
      writing = writeAll(rows)
      writing.catch(() => undefined)
    }
  } finally {
    await writing
  }
  if (left > 0) {
    const stated = statements.ids_unusable({ records: left, longest: longestId })
    notes.push(problem({ step: 'reading', stated, advised: statements.correct_ids() }))
  }
  return { records, gaps: [...gaps.keys()].sort().flatMap((key) => gaps.get(key) ?? []), notes }
}

/** A reading that keeps count of the records that it leaves out. */
interface StagedReading extends Reading {
  /** Those whose ids SQL can store: without one, people could not be told apart. */
  usable<Each extends { id: string }>(records: readonly Each[]): Each[]
}

/** Rows per statement, or a few more. */
const rowsAtOnce = 1000

/**
 * Platforms return one department at a time, which may be a few people: a statement for each would take longer than the
 * reading.
 */
async function* gathered(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<Row[]> {
  let rows: Row[] = []
  for await (const batch of batches) {
    rows.push(...batch)
    if (rows.length < rowsAtOnce) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

async function* people(
  source: Source,
  reading: StagedReading,
  { mapping, mobileKey }: Pick<StageOptions, 'mapping' | 'mobileKey'>,
): AsyncGenerator<Row[]> {
  for await (const batch of source.users(reading)) {
    yield await mapInTimeSlices(reading.usable(batch), ({ id, unionId, departmentIds, active, record }) => {
      const row = mapped('users', id, named(mapping(record)))
      return {
        sourceId: id,
        parentSourceId: '',
        departmentIds: departmentIds.filter(isUsableId),
        unionId: isUsableId(unionId) ? unionId : '',
        active,
        ...row,
        ...stemOf(row.fields.username ?? '', longestNames.users),
        mobileKey: mobileKey(row.fields.mobile ?? ''),
      }
    })
  }
}

async function* departments(source: Source, reading: StagedReading, map: Mapping): AsyncGenerator<Row[]> {
  for await (const batch of source.departments(reading)) {
    const departments = reading.usable(batch).filter(({ id }) => id !== source.rootId)
    yield await mapInTimeSlices(departments, ({ id, parentId, record }) => ({
      sourceId: id,
      parentSourceId: isUsableId(parentId) ? parentId : '',
      departmentIds: [],
      unionId: '',
      active: true,
      stem: '',
      stemKey: '',
      mobileKey: '',
      ...mapped('groups', id, map(record)),
    }))
  }
}

/** A person is shown by a name: without one they are added with their username, and keep what they have after that. */
const named = ({ fields: { nickname, ...fields }, problems }: Mapped): Mapped => ({
  fields: nickname ? { ...fields, nickname } : fields,
  problems,
})

const mapped = (kind: RunKind, sourceId: string, { fields, problems }: ReturnType<Mapping>) => {
  const name = fields[nameFields[kind]]
  return {
    fields,
    nameKey: name === undefined ? null : matchingKey(name),
    problems: problems.map(({ field, stated }) =>
      problem({
        sourceId,
        name: name ?? fields.nickname ?? '',
        step: 'mapping',
        stated: statements.field_unusable({ field, problem: stated }),
        advised: statements.correct_or_map(),
      }),
    ),
  }
}

/**
 * Writes rows and returns how many are new. Of two versions of one record the greater one is kept, whichever came first.
 * One that says that the person is there is greater than one that says they are not: a source that contradicts itself
 * disables no one.
 */
const write = async (db: Db, runId: number, rows: readonly Row[]): Promise<number> => {
  const newer = sql`(excluded.active, excluded.fields::text collate "C", excluded.parent_source_id collate "C", excluded.union_id collate "C")
    > (r.active, r.fields::text collate "C", r.parent_source_id collate "C", r.union_id collate "C")`
  const [counted] = await db.execute<{ fresh: number }>(sql`
    with written as (
      insert into ${runRecords} as r
        (run_id, source_id, parent_source_id, department_ids, union_id, active, fields, name_key, stem, stem_key, mobile_key, problems)
      select ${runId}, "sourceId", "parentSourceId", "departmentIds", "unionId", active, fields, "nameKey", stem, "stemKey", "mobileKey", problems
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s ("sourceId" text, "parentSourceId" text,
        "departmentIds" jsonb, "unionId" text, active boolean, fields jsonb, "nameKey" text, stem text, "stemKey" text,
        "mobileKey" text, problems jsonb)
      on conflict (run_id, source_id) do update set
        department_ids = (select coalesce(jsonb_agg(distinct d order by d), '[]')
          from jsonb_array_elements(r.department_ids || excluded.department_ids) d),
        fields = case when ${newer} then excluded.fields else r.fields end,
        parent_source_id = case when ${newer} then excluded.parent_source_id else r.parent_source_id end,
        active = case when ${newer} then excluded.active else r.active end,
        union_id = case when ${newer} then excluded.union_id else r.union_id end,
        name_key = case when ${newer} then excluded.name_key else r.name_key end,
        stem = case when ${newer} then excluded.stem else r.stem end,
        stem_key = case when ${newer} then excluded.stem_key else r.stem_key end,
        mobile_key = case when ${newer} then excluded.mobile_key else r.mobile_key end,
        problems = case when ${newer} then excluded.problems else r.problems end
      returning xmax = 0 as fresh
    )
    select count(*) filter (where fresh)::int as fresh from written`)
  return counted?.fresh ?? 0
}
