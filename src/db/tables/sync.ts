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
import type { Statement } from '../../failures/statement.ts'
import { audit, id, instant, optional, ref } from './columns.ts'

export const fieldRelations = pgTable(
  'field_relations',
  {
    id: id(),
    flag: text().notNull(),
    attributes: jsonb().$type<Record<string, string>>().notNull(),
    ...audit(),
  },
  (t) => [uniqueIndex('field_relations_flag_key').on(t.flag)],
)

/** A run of any sync: the report of the contract, and the state for waiting, watching and confirming. */
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
    /** The run plans and writes nothing. */
    dryRun: boolean().notNull().default(false),
    /** Whether the source has no other run at the same time; a comparison of a few records allows others. */
    exclusive: boolean().notNull().default(true),
    /** reading, planning, applying, mirroring; empty once it has ended. */
    phase: optional(),
    /** Records the phase has done, out of `progressOf`; that is null where the total is not known. */
    progress: integer().notNull().default(0),
    progressOf: integer(),
    /** SHA-256 over the plan, in hex; empty before there is a plan. */
    planHash: optional(),
    /** Why the snapshot did not cover everything in the source, a sentence each. */
    gaps: jsonb().$type<string[]>().notNull().default([]),
    /** Why the plan is held, a sentence each. */
    heldBecause: jsonb().$type<string[]>().notNull().default([]),
    /** Both, in a form that can be translated; empty in reports of earlier versions. */
    gapStatements: jsonb().$type<Statement[]>().notNull().default([]),
    heldStatements: jsonb().$type<Statement[]>().notNull().default([]),
    /** The instance that runs it; an instance that stopped renewing its lease is dead. */
    leaseOwner: uuid(),
    leaseUntil: instant(),
    /** The administrator who confirmed or discarded the plan, and when. */
    decidedBy: optional(),
    decidedAt: instant(),
  },
  (t) => [
    index('runs_source_index').on(t.source, t.kind, t.id),
    index('runs_held_index').on(t.id).where(sql`${t.state} = 'held'`),
    uniqueIndex('runs_running_key').on(t.source).where(sql`${t.state} = 'running' and ${t.exclusive}`),
    check('runs_state_check', sql`${t.state} in ('running', 'done', 'held', 'failed', 'planned', 'discarded')`),
  ],
)

/**
 * The snapshot of a run: the source's records, mapped to our fields. Rows exist from the reading to the plan. The table
 * is unlogged: after a crash of the server it is empty, and the source is read again. There is no foreign key to the
 * run: runs are never deleted, and the check would take a quarter of the time of writing.
 */
export const runRecords = pgTable(
  'run_records',
  {
    runId: ref().notNull(),
    sourceId: text().notNull(),
    /** Of a department: the id of its parent. */
    parentSourceId: optional(),
    /** Of a person: the ids of their departments, sorted. */
    departmentIds: jsonb().$type<string[]>().notNull().default([]),
    unionId: optional(),
    active: boolean().notNull().default(true),
    /** Our field → its value; a field that the source did not return is absent. */
    fields: jsonb().$type<Record<string, string>>().notNull(),
    /** The username or group name as the directory compares it; null: without a name the record cannot be created. */
    nameKey: text(),
    /** Of a person: the text to which a number is appended where the username is taken, and its key (see stemOf). */
    stem: optional(),
    stemKey: optional(),
    /** Of a person: the key by which mobiles are compared. */
    mobileKey: optional(),
    /** The problems of the record, a row each. */
    problems: jsonb().$type<RunProblem[]>().notNull().default([]),
  },
  (t) => [primaryKey({ columns: [t.runId, t.sourceId] })],
)

/** The plan of a run: what it will do, or has done, in this order. */
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
    /** The record; null for one that is yet to be added. */
    recordId: ref(),
    /** The record's version that the plan is based on: a record with another version now is not changed. */
    version: bigint({ mode: 'number' }),
    /** The username or the group's name at the time of the change. */
    name: text().notNull(),
    /** That name as the directory compares it. */
    nameKey: text().notNull(),
    /** The fields that change, with their old and new values. */
    before: jsonb().$type<ChangedFields | EntryFields>().notNull().default({}),
    after: jsonb().$type<ChangedFields | EntryFields>().notNull().default({}),
    /**
     * It passes a unique value to another record, or takes one. All such changes are made first, in one transaction.
     */
    entangled: boolean().notNull().default(false),
    /** The source's values, to be stored with the record. */
    sourceFields: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** planned, done, failed, held (it waits for the confirmation of a higher rank) */
    state: text().notNull().default('planned'),
    /** Why it failed or is held, or what else is to be said of it. */
    reason: optional(),
    /** The same, in a form that can be translated; null where there is no reason, and in plans of earlier versions. */
    stated: jsonb().$type<Statement>(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.seq] }),
    check('run_changes_state_check', sql`${t.state} in ('planned', 'done', 'failed', 'held')`),
  ],
)

export type ChangeAction = 'add' | 'update' | 'move' | 'enable' | 'disable' | 'remove'

/** Our fields; `memberOf` lists the ids of a person's groups, `parent` is the source's id of the parent group. */
export type ChangedFields = Record<string, string | number | null | number[]>

/** What a comparison would change of an entry: `dn` and its attributes. */
export type EntryFields = Record<string, string | string[] | null>

/** One record that a run could not import, and what to do about it. */
export interface RunProblem {
  sourceId: string
  name: string
  step: string
  reason: string
  advice: string
  /** Both, in a form that can be translated; absent in reports of earlier versions. */
  stated?: Statement
  advised?: Statement
}
