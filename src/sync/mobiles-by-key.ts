import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../db/client.ts'
import type { MobileKey } from '../text/identity-keys.ts'

/**
 * The keys of the mobiles in planned changes, as a table `k` of seq and key. They use the present DEFAULT_REGION.
 * @param planned selects the changes, of `run_changes c`
 */
export const mobilesByKey = async (db: Queryable, planned: SQL, mobileKey: MobileKey): Promise<SQL> => {
  const rows = await db.execute<{ seq: number; mobile: string }>(sql`
    select c.seq, c.after->>'mobile' as mobile from run_changes c where ${planned} and c.after ? 'mobile'`)
  const keys = rows.map(({ seq, mobile }) => ({ seq, key: mobileKey(mobile) }))
  return sql`jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k (seq int, key text)`
}
