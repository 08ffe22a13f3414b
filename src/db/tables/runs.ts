import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { id, instant, optional, ref } from './columns.ts'

/** A run of any sync: the report the contract describes, and what those need who watch it, wait for it or confirm it. */
export const runs = pgTable(
  'runs',
  {
    id: id(),
    /** sql, exta, extb, extc, extldap */
    source: text().notNull(),
    /** users, groups */
    kind: text().notNull(),
    /** running, done, held, failed, planned (a dry run that ended), discarded */
    state: text().notNull(),
    startedAt: instant().notNull().defaultNow(),
    finishedAt: instant(),
    total: integer().notNull().default(0),
    added: integer().notNull().default(0),
    updated: integer().notNull().default(0),
    moved: integer().notNull().default(0),
    disabled: integer().notNull().default(0),
    unchanged: integer().notNull().default(0),
    skipped: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    held: integer().notNull().default(0),
    problems: jsonb().$type<RunProblem[]>().notNull().default([]),
    creator: optional(),
    /** It plans and writes nothing. */
    dryRun: boolean().notNull().default(false),
    /** Whether it is the only one of its source while it runs; a comparison of a few records need not be. */
    exclusive: boolean().notNull().default(true),
    /** reading, planning, applying, mirroring; empty once it has ended. */
    phase: optional(),
    /** How far the phase is: records out of `progressOf`, or so far where that is null. */
    progress: integer().notNull().default(0),
    progressOf: integer(),
    /** SHA-256 over the plan, in hex; empty before there is one. */
    planHash: optional(),
    /** Why the snapshot did not cover everything the source holds, a sentence each. */
    gaps: jsonb().$type<string[]>().notNull().default([]),
    /** Why the plan is held, a sentence each. */
    heldBecause: jsonb().$type<string[]>().notNull().default([]),
    /** The instance that runs it; one that stopped renewing its lease is dead. */
    leaseOwner: uuid(),
    leaseUntil: instant(),
    /** Who confirmed or discarded the plan, and when. */
    decidedBy: optional(),
    decidedAt: instant(),
  },
  (t) => [
    index('runs_source_index').on(t.source, t.kind, t.id),
    uniqueIndex('runs_running_key').on(t.source).where(sql`${t.state} = 'running' and ${t.exclusive}`),
    check('runs_state_check', sql`${t.state} in ('running', 'done', 'held', 'failed', 'planned', 'discarded')`),
  ],
)

/**
 * The snapshot of a run: what its source answered, mapped to our fields. Rows live from the reading to the plan. The
 * table is unlogged: what a crash of the server empties is read anew. That their run is there is not checked row by
 * row: runs are never deleted, and the check would take a quarter of the writing.
 */
export const runRecords = pgTable(
  'run_records',
  {
    runId: ref().notNull(),
    sourceId: text().notNull(),
    /** Of a department: the id of the one above. */
    parentSourceId: optional(),
    /** Of a person: the ids of the departments he is in, sorted. */
    departmentIds: jsonb().$type<string[]>().notNull().default([]),
    unionId: optional(),
    active: boolean().notNull().default(true),
    /** Our field → its value; a field the source said nothing of is absent. */
    fields: jsonb().$type<Record<string, string>>().notNull(),
    /** The username or group name as the directory compares it; null: there is none, so nothing can be made of it. */
    nameKey: text(),
    /** Of a person: what a number is put behind where the username is taken, and its key (see stemOf). */
    stem: optional(),
    stemKey: optional(),
    /** Of a person: by which mobiles are compared. */
    mobileKey: optional(),
    /** What is wrong with the record, a row each. */
    problems: jsonb().$type<RunProblem[]>().notNull().default([]),
  },
  (t) => [primaryKey({ columns: [t.runId, t.sourceId] })],
)

/** The plan of a run: what it is going to do, or has done, in this order. */
export const runChanges = pgTable(
  'run_changes',
  {
    runId: ref()
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    /** From 1, without gaps. */
    seq: integer().notNull(),
    /** add, update, move, enable, disable (people), remove (departments) */
    action: text().$type<ChangeAction>().notNull(),
    sourceId: text().notNull(),
    /** The record; null for one that is still to be added. */
    recordId: ref(),
    /** The record's version the plan was made on: a record that has another by now is left alone. */
    version: bigint({ mode: 'number' }),
    /** The username or the group's name, as it is when this is done. */
    name: text().notNull(),
    /** That name as the directory compares it. */
    nameKey: text().notNull(),
    /** The fields that change, as they were and as they are to be. */
    before: jsonb().$type<ChangedFields>().notNull().default({}),
    after: jsonb().$type<ChangedFields>().notNull().default({}),
    /** It hands a unique value on to another, or takes one: all such changes are made in one transaction. They come first. */
    entangled: boolean().notNull().default(false),
    /** What the source says, to be remembered with the record. */
    sourceFields: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** planned, done, failed, held (it waits for somebody stronger to confirm it) */
    state: text().notNull().default('planned'),
    /** Why it failed or is held. */
    reason: optional(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.seq] }),
    check('run_changes_state_check', sql`${t.state} in ('planned', 'done', 'failed', 'held')`),
  ],
)

export type ChangeAction = 'add' | 'update' | 'move' | 'enable' | 'disable' | 'remove'

/** Our fields; `memberOf` lists the ids of a person's groups, `parent` is the source's id of the group above. */
export type ChangedFields = Record<string, string | number | null | number[]>

/** One record a run could not bring home, and what to do about it. */
export interface RunProblem {
  sourceId: string
  name: string
  step: string
  reason: string
  advice: string
}
