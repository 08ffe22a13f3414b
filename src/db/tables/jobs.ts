import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Statement } from '../../failures/statement.ts'
import { id, instant, optional, ref } from './columns.ts'

/** Periodic work, once across instances: the instance that holds the lease does it. */
export const schedules = pgTable('schedules', {
  name: text().primaryKey(),
  nextRunAt: instant().notNull(),
  leaseUntil: instant(),
  leaseOwner: text(),
  lastOkAt: instant(),
  attempts: integer().notNull().default(0),
  lastError: optional(),
  /** The same in a form that can be translated; null: it did not fail, or an earlier version wrote it. */
  stated: jsonb().$type<Statement>(),
})

/** Long work besides runs, for whom waits for it: on any instance it can be read how far it is. */
export const tasks = pgTable(
  'tasks',
  {
    id: id(),
    kind: text().$type<TaskKind>().notNull(),
    state: text().$type<'running' | 'done' | 'failed'>().notNull().default('running'),
    /** What it is doing; empty once it has ended. */
    phase: optional(),
    /** Records, rows or entries that the phase is done with, out of `total`; that is null where it is not known. */
    done: bigint({ mode: 'number' }).notNull().default(0),
    total: bigint({ mode: 'number' }),
    creator: optional(),
    startedAt: instant().notNull().defaultNow(),
    finishedAt: instant(),
    /** Why it failed. */
    message: optional(),
    /** The backup that is made or restored. There is no foreign key: a restore must not wait for who reads progress. */
    backupId: ref(),
    /** What it found, where that is kept nowhere else. */
    result: jsonb(),
    /** The instance that does it; an instance that stopped renewing its lease is dead. */
    leaseOwner: uuid(),
    leaseUntil: instant(),
  },
  (t) => [
    index('tasks_kind_index').on(t.kind, t.id),
    uniqueIndex('tasks_verification_key').on(t.kind).where(sql`${t.state} = 'running' and ${t.kind} = 'verification'`),
    check('tasks_kind_check', sql`${t.kind} in ('backup', 'restore', 'check', 'verification')`),
    check('tasks_state_check', sql`${t.state} in ('running', 'done', 'failed')`),
  ],
)

/** What one instance has until a time, and no other row stands for. */
export const leases = pgTable('leases', {
  name: text().primaryKey(),
  leaseOwner: text().notNull(),
  leaseUntil: instant().notNull(),
})

export type TaskKind = 'backup' | 'restore' | 'check' | 'verification'
