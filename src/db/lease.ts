import { type Placeholder, type SQL, sql, type Table } from 'drizzle-orm'
import { elapsedBetween, type Moment, thisMoment } from '../runtime/clock.ts'
import type { Db } from './client.ts'

// A lease is the right of one holder to rows, such as a run, a job or a batch of records, until a certain time. The
// holder moves that time on while it lives; if it dies, another takes the rows over. All instances share the clock of
// the database. A lease is taken and released by the statement that also says what was begun or done, so that the two
// cannot come apart: what is here are the parts of such statements, and the renewal.

/** A table with the columns `lease_owner` and `lease_until`, or what a statement calls it. */
type Leased = Table | SQL

/** The two columns, as a statement of the query builder sets them. */
interface LeaseValues {
  leaseOwner: string | null
  leaseUntil: SQL | null
}

export const released = { leaseOwner: null, leaseUntil: null } satisfies LeaseValues

/** The two columns as `set` of a statement in SQL has them. */
export const assigned = ({ leaseOwner, leaseUntil }: LeaseValues): SQL =>
  sql`lease_owner = ${leaseOwner ?? sql`null`}, lease_until = ${leaseUntil ?? sql`null`}`

/** Whether a row may be taken: it has no holder, or its holder has not renewed its lease in time. */
export const isFree = (row: Leased): SQL => sql`(${row}.lease_until is null or ${row}.lease_until <= now())`

/** Whether a row has a holder that lives. */
export const isHeld = (row: Leased): SQL<boolean> => sql<boolean>`coalesce(${row}.lease_until > now(), false)`

/** Whether a row has a holder that lives and is not this one. */
export const isHeldByOther = (row: Leased, owner: string): SQL =>
  sql`(${row}.lease_until > now() and ${row}.lease_owner <> ${owner})`

/** Whether the newest holder of a row is this one. Its time may be over: until another takes the row, it can renew. */
export const isOf = (row: Leased, owner: string | Placeholder): SQL => sql`${row}.lease_owner = ${owner}`

/** `delayed`: not renewed this time, for example because another transaction has locked a row. */
export type Renewal = 'renewed' | 'delayed' | 'lost'

/** Another holder has taken what was held, or may have. */
export class LeaseLostError extends Error {}

/** A lease that is renewed three times in its time, until `end`. */
export interface KeptLease {
  /**
   * Aborts with a LeaseLostError when a renewal finds that another holder has taken it. It does not abort while the
   * database does not answer: there is no proof then, and the next write shows who holds the lease.
   */
  signal: AbortSignal
  /**
   * For writes to other places than the database, which cannot ask it who holds the lease: by the clocks of this
   * host, and with some time to spare.
   * @throws LeaseLostError unless the lease is certainly held. Once lost, it stays lost
   */
  confirm(): void
  /** Ends the renewal, and releases nothing. */
  end(): void
}

export interface KeepOptions {
  renew: () => Promise<Renewal>
  /** When the lease was asked for: on the way there and back the request may have taken any time. Default: now. */
  since?: Moment
  now?: () => Moment
}

/** `confirm` takes a lease for lost when so many milliseconds of it are left: a write takes its time, too. */
const margin = 2000

/** Leases that last so many seconds after they were taken or renewed. */
export const leaseOf = (seconds: number) => {
  // Not from `now()`: a transaction may have waited for others before the statement that takes the lease.
  const leaseUntil = sql`statement_timestamp() + make_interval(secs => ${seconds})`

  const keep = ({ renew, now = thisMoment, since = now() }: KeepOptions): KeptLease => {
    const lost = new AbortController()
    let ended = false
    let heldSince = since
    const isCertain = (): boolean => !lost.signal.aborted && elapsedBetween(heldSince, now()) < seconds * 1000 - margin
    const beat = async (): Promise<void> => {
      const asked = now()
      const renewal = await renew()
      if (ended) return
      if (renewal === 'lost') lost.abort(new LeaseLostError('another instance has taken over'))
      // Not after it was lost: another holder may have written meanwhile.
      if (renewal === 'renewed' && isCertain()) heldSince = asked
    }
    const timer = setInterval(() => beat().catch(() => undefined), (seconds * 1000) / 3)
    return {
      signal: lost.signal,
      confirm() {
        if (isCertain()) return
        throw new LeaseLostError('this process stood still for so long that others may have taken over')
      },
      end() {
        ended = true
        clearInterval(timer)
      },
    }
  }

  return {
    seconds,
    taken: (owner: string) => ({ leaseOwner: owner, leaseUntil }) satisfies LeaseValues,
    /** The same as `set` of a statement in SQL has it. */
    takenBy: (owner: string | Placeholder): SQL => sql`lease_owner = ${owner}, lease_until = ${leaseUntil}`,
    /** The column as `set` of a statement in SQL has it. */
    renewed: sql`lease_until = ${leaseUntil}`,
    keep,
    /** Keeps the lease of one row, which the condition names. */
    keepRow: (db: Db, table: Table, owner: string, condition: SQL): KeptLease =>
      keep({
        async renew() {
          const rows = await db.execute(sql`
            update ${table} set "lease_until" = ${leaseUntil}
            where ${condition} and ${isOf(table, owner)} returning 1`)
          return rows.length > 0 ? 'renewed' : 'lost'
        },
      }),
  }
}
