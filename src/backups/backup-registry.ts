import { and, desc, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { isFree, type KeptLease, leaseOf, released } from '../db/lease.ts'
import { backups } from '../db/schema.ts'
import { formatVersion } from './file/header.ts'
import { newBackupPath } from './folder/backup-path.ts'

/** A backup whose instance does not renew its lease counts as dead. */
const lease = leaseOf(30)

export interface Backup {
  id: number
  type: 'auto' | 'manual'
  status: string
  /** Relative to the backup folder. */
  path: string
  /** Bytes. */
  size: number
  /** In hex; empty until the file is verified. */
  sha256: string
  startedAt: Date
  /** Whether its file was removed because its retention was over. */
  expired: boolean
}

export interface BackupRequest {
  type: 'auto' | 'manual'
  creator: string
}

/** The records of backups. One is `running` at a time, across all instances. */
export interface BackupRegistry {
  /** Begins a backup; null: another one is running. */
  begin(request: BackupRequest & { encrypted: boolean }): Promise<Backup | null>
  keep(id: number): KeptLease
  /** false: it has ended before, because another instance has given it up. */
  succeed(id: number, proof: { size: number; sha256: string }): Promise<boolean>
  /** false: it has ended before. */
  fail(id: number, error: string): Promise<boolean>
  /** Those that are running on a live instance. */
  underWay(): Promise<Backup[]>
  /** Of these paths those that have a record here, and whether it is running on a live instance. */
  recorded(paths: readonly string[]): Promise<Map<string, boolean>>
  /** Those with the state `running` whose instance is gone. */
  abandoned(): Promise<Backup[]>
  find(id: number): Promise<Backup | null>
  /** Those whose files exist, the newest first. */
  proven(): Promise<Backup[]>
  expire(id: number): Promise<void>
}

const columns = {
  id: backups.id,
  type: backups.type,
  status: backups.status,
  path: backups.path,
  size: backups.size,
  sha256: backups.sha256,
  startedAt: backups.startedAt,
  expired: sql<boolean>`${backups.expiredAt} is not null`,
}

/**
 * @param sole whether no other process can have this database open: then all backups of other processes are abandoned
 */
export const backupRegistry = ({ db, owner, sole }: { db: Db; owner: string; sole: boolean }): BackupRegistry => {
  const dead = sole ? ne(backups.leaseOwner, owner) : isFree(backups)
  const running = eq(backups.status, 'running')
  const select = (where: SQL | undefined): Promise<Backup[]> =>
    db.select(columns).from(backups).where(where).orderBy(desc(backups.id))

  const end = async (id: number, outcome: Partial<typeof backups.$inferInsert>): Promise<boolean> => {
    const rows = await db
      .update(backups)
      .set({ ...outcome, finishedAt: sql`now()`, ...released })
      .where(and(eq(backups.id, id), running))
      .returning({ id: backups.id })
    return rows.length > 0
  }

  return {
    async begin({ type, creator, encrypted }) {
      const fixed = { type, creator, encrypted, formatVersion, status: 'running' }
      const [row] = await db
        .insert(backups)
        .values({ ...fixed, path: newBackupPath(), ...lease.taken(owner) })
        .onConflictDoNothing()
        .returning(columns)
      return row ?? null
    },

    keep: (id) => lease.keepRow(db, backups, owner, sql`${backups.id} = ${id} and ${running}`),

    succeed: (id, proof) => end(id, { status: 'success', ...proof }),
    fail: (id, error) => end(id, { status: 'failed', error }),
    underWay: () => select(and(running, sql`not ${dead}`)),
    async recorded(paths) {
      const isUnderWay = sql<boolean>`${running} and not ${dead}`
      const known = inArray(backups.path, [...paths])
      const rows = await db.select({ path: backups.path, isUnderWay }).from(backups).where(known)
      return new Map(rows.map((row) => [row.path, row.isUnderWay]))
    },
    abandoned: () => select(and(running, dead)),
    find: async (id) => (await select(eq(backups.id, id)))[0] ?? null,
    proven: () => select(and(eq(backups.status, 'success'), isNull(backups.expiredAt))),

    async expire(id) {
      await db.update(backups).set({ expiredAt: sql`now()` }).where(eq(backups.id, id))
    },
  }
}
