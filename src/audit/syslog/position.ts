import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { assigned, isFree, isOf, leaseOf, released } from '../../db/lease.ts'
import { logReceivers, operationLogs } from '../../db/schema.ts'
import { largestPlace } from '../chain.ts'
import type { ChainedEntry } from './message.ts'

/** The last entry that a receiver has taken. */
export interface Position {
  seq: number
  hash: string
}

/** A process that died is followed by another one after so many seconds. */
const lease = leaseOf(30)

/** Entries that wait for a receiver. */
export interface Waiting {
  count: number
  /** Since when the oldest of them could have been taken. */
  since: Date
}

/** Where a receiver is in the log, in SQL: it survives the process, and instances share it. */
export const openPosition = (db: Db, receiver: string, owner: string) => {
  const own = eq(logReceivers.receiver, receiver)
  const newest = sql`coalesce((select max(seq) from operation_logs where seq <= ${largestPlace}), 0)`

  return {
    /** Whether there is something to send. Reads only: most of the time there is not. */
    async isBehind(): Promise<boolean> {
      const [row] = await db.execute<{ behind: boolean }>(sql`
        select coalesce((select seq from log_receivers where receiver = ${receiver}), 0) <> ${newest} as behind`)
      return row?.behind === true
    },

    /**
     * Takes the right to send, or renews it.
     * @returns null: another process has it. `rewound`: the log is not the one that was sent, because the database was
     *   set back or replaced
     */
    async take(): Promise<(Position & { rewound: boolean }) | null> {
      const [row] = await db.execute<{ seq: string; hash: string; rewound: boolean }>(sql`
        insert into log_receivers as r (receiver, lease_owner, lease_until)
        values (${receiver}, ${owner}, ${lease.taken(owner).leaseUntil})
        on conflict (receiver) do update set ${assigned(lease.taken(owner))}
        where ${isFree(sql`r`)} or ${isOf(sql`r`, owner)}
        returning seq, hash, ${newest} < seq
          or exists (select from operation_logs l where l.seq = r.seq and l.hash <> r.hash) as rewound`)
      return row === undefined ? null : { seq: Number(row.seq), hash: row.hash, rewound: row.rewound }
    },

    /** Keeps what `take` took, until `end`. */
    keep: () => lease.keepRow(db, logReceivers, owner, own),

    /** Entries after this one, the oldest first. */
    after: (seq: number, limit: number): Promise<ChainedEntry[]> =>
      db
        .select()
        .from(operationLogs)
        .where(and(gt(operationLogs.seq, seq), lte(operationLogs.seq, largestPlace)))
        .orderBy(asc(operationLogs.seq))
        .limit(limit),

    /** The receiver has taken all up to this one. @returns whether this process still has the right to say so */
    async advance({ seq, hash }: Position): Promise<boolean> {
      const rows = await db.execute(sql`
        update ${logReceivers} set seq = ${seq}, hash = ${hash}, taken_at = now(), ${lease.renewed}
        where ${own} and ${isOf(logReceivers, owner)} returning 1`)
      return rows.length > 0
    },

    async waiting(): Promise<Waiting | null> {
      const [row] = await db.execute<{ count: string; since: string }>(sql`
        select ${newest} - greatest(r.seq, oldest.seq - 1) as count,
          extract(epoch from greatest(r.taken_at, oldest.start_time)) * 1000 as since
        from log_receivers r
        cross join lateral (
          select seq, start_time from operation_logs l where l.seq > r.seq and l.seq <= ${largestPlace}
          order by l.seq limit 1) oldest
        where r.receiver = ${receiver}`)
      return row === undefined ? null : { count: Number(row.count), since: new Date(Number(row.since)) }
    },

    /** Lets another process send at once. */
    async release(): Promise<void> {
      await db
        .update(logReceivers)
        .set(released)
        .where(and(own, isOf(logReceivers, owner)))
    },
  }
}
