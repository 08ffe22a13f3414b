import { sql } from 'drizzle-orm'

/**
 * Lets the transaction end before it is on the disk, and before a synchronous standby has it: for what a crash may lose
 * (docs/decisions.md). What was committed before it is on the disk once a later transaction has waited.
 */
export const withoutWaiting = sql`set_config('synchronous_commit', 'off', true)`
