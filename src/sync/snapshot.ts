import { hash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { membershipTest } from '../collections/sorted-numbers.ts'
import type { Db } from '../db/client.ts'
import type { Slot } from '../sources/slot.ts'
import type { RunKind } from './run-request.ts'
import { type Staged, type StageOptions, stage } from './stage.ts'

export interface SnapshotOptions extends StageOptions {
  slot: Slot
}

/**
 * Reads all records of one kind from a source into `run_records`. A source is read department by department and page by
 * page while people work with it: a person who moves from a department that is read later to one that was read before
 * is not listed, nor is one who gets onto an earlier page because another person left. Such people must not count as
 * people who left. So the source is read a second time when records are missing that were imported before, and those
 * found then are added. Of departments also those that are new: the ones that were missing may be below them by now.
 * @throws SourceError when the source could not be read to its end
 */
export const snapshot = async ({ slot, ...options }: SnapshotOptions): Promise<Staged> => {
  const { db, kind, source, run } = options
  const first = await stage(options)
  const isMissing = await missing(db, kind, { runId: run.id, slot, rootId: source.rootId })
  if (isMissing === null) return first
  const isNew = kind === 'groups' ? await unread(db, run.id) : () => false
  const only = (sourceId: string): boolean => isMissing(sourceId) || isNew(sourceId)
  const { signal, id } = run
  const progress: typeof run.progress = (phase, done, of) => run.progress(phase, first.records + done, of)
  const second = await stage({ ...options, run: { id, signal, progress }, only })
  const gaps = new Map([...first.gaps, ...second.gaps].map((gap) => [gap.key, gap]))
  return { records: first.records + second.records, gaps: [...gaps.values()], notes: first.notes }
}

interface Place {
  runId: number
  slot: Slot
  /** The id of the whole organisation at the source. */
  rootId: string
}

/** The hexadecimal digits of a hash that are compared: 52 bits, which a number holds exactly. */
const digits = 13

const hashOf = (hexadecimal: string): number => Number.parseInt(hexadecimal.slice(0, digits), 16)

/**
 * Which of the source's records here, enabled people or departments, a reading did not return: all of a million, if the
 * source is empty. So their ids are kept as hashes, eight bytes for each. A record that has the hash of a missing one is
 * in the source too, and may be written with them.
 * @returns whether the record with an id is among them; null: nothing is missing
 */
const missing = async (db: Db, kind: RunKind, place: Place): Promise<((id: string) => boolean) | null> => {
  // Each by its key, which the offset sees to: PostgreSQL has no statistics of these records yet, and after a first import
  // perhaps none of the people, and would compare each with each.
  const [row] = await db.execute<{ hashes: string | null }>(sql`
    select string_agg(left(encode(sha256(convert_to(o.id, 'UTF8')), 'hex'), ${digits}), '') as hashes
    from (${importedBefore[kind](place)}) as o
    where not exists (select from run_records r where r.run_id = ${place.runId} and r.source_id = o.id offset 0)`)
  const hashes = row?.hashes ?? ''
  return hashes === '' ? null : amongHashes(hashes)
}

/** Which records the first reading of a run did not return. */
const unread = async (db: Db, runId: number): Promise<(id: string) => boolean> => {
  const [row] = await db.execute<{ hashes: string | null }>(sql`
    select string_agg(left(encode(sha256(convert_to(r.source_id, 'UTF8')), 'hex'), ${digits}), '') as hashes
    from run_records r where r.run_id = ${runId}`)
  const wasRead = amongHashes(row?.hashes ?? '')
  return (id) => !wasRead(id)
}

const amongHashes = (hashes: string): ((id: string) => boolean) => {
  const isAmong = membershipTest(
    Array.from({ length: hashes.length / digits }, (_, at) => hashOf(hashes.slice(at * digits, (at + 1) * digits))),
  )
  return (id) => isAmong(hashOf(hash('sha256', id, 'hex')))
}

const importedBefore: Readonly<Record<RunKind, (place: Place) => SQL>> = {
  users: ({ slot }) => sql`
    select source_user_id as id from users where source = ${slot} and source_user_id <> '' and status = 1`,
  groups: ({ slot, rootId }) => sql`
    select source_dept_id as id from groups
    where source = ${slot} and source_dept_id <> '' and source_dept_id <> ${rootId}`,
}
