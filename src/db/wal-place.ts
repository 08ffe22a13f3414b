import { sql } from 'drizzle-orm'
import type { Db } from './client.ts'

/** How far the history of a server is: which server's, on which timeline, up to where in its WAL. */
export interface WalPlace extends Record<string, unknown> {
  /** Standbys have that of their primary. */
  system: string
  /** Each promotion of a standby begins a new one. */
  timeline: number
  lsn: string
}

const system = sql`(select system_identifier::text from pg_control_system())`

/**
 * Where a primary is now: whatever a query could see there by now was written before this place.
 *
 * A commit becomes visible when its WAL is on the disk, unless `synchronous_commit` is off: then any place may hold one.
 */
export const placeOfPrimary = async (db: Db): Promise<WalPlace> => {
  const [place] = await db.execute<WalPlace>(sql`
    select ${system} as system, ('x' || left(pg_walfile_name(at), 8))::bit(32)::int as timeline, at::text as lsn
    from (select case current_setting('synchronous_commit')
      when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end as at) as now`)
  if (place === undefined) throw new Error('The primary did not say where it is')
  return place
}

export type Progress = 'there' | 'behind' | 'of another history'

interface StandbyState extends Record<string, unknown> {
  standby: boolean
  system: string
  timeline: number
  replayed: boolean | null
}

/**
 * Whether a standby has everything up to this place.
 *
 * A place counts on its timeline only: before a promotion another standby may have come further on the former one, and
 * what it has there is lost. What its control file says of its timeline may be as old as its last restart point; what
 * its receiver says is newer, and shown to the members of `pg_read_all_stats`.
 */
export const progressOf = async (standby: Db, place: WalPlace): Promise<Progress> => {
  const [state] = await standby.execute<StandbyState>(sql`
    select pg_is_in_recovery() as standby, ${system} as system, greatest(
      (select timeline_id from pg_control_checkpoint()),
      (select min_recovery_end_timeline from pg_control_recovery()),
      (select received_tli from pg_stat_wal_receiver)) as timeline,
      pg_last_wal_replay_lsn() >= ${place.lsn}::pg_lsn as replayed`)
  if (!state?.standby || state.system !== place.system || state.timeline !== place.timeline) {
    return 'of another history'
  }
  return state.replayed === true ? 'there' : 'behind'
}
