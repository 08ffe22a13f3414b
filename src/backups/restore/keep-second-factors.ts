import { sql } from 'drizzle-orm'
import { newestStep } from '../../auth/second-factor/totp.ts'
import type { Tx } from '../../db/client.ts'
import type { ReadBackup } from '../file/read.ts'

/** The tables of second factors. */
const tables = ['second_factors', 'recovery_codes'] as const

/** Users who are the same as before: an identifier alone may belong to another user in a file of another database. */
const same = sql`select u.id from users u join users_before b on b.id = u.id and b.created_at = u.created_at`

/**
 * Makes sure that no second factor goes back to an earlier state while `load` replaces the data: a used recovery code
 * stays used, an accepted code of an app is not accepted again, and a removed or renewed factor does not come back. So
 * users who exist before and after keep their present factors. Other users get those of the file, with the current
 * codes of their apps marked as used. They get no recovery codes where the file is of this database, in which the codes
 * may have been used before the user was deleted. All in the caller's transaction, which has locked the tables: no code
 * can be used that would be lost.
 */
export const keepSecondFactors = async (tx: Tx, load: () => Promise<ReadBackup>): Promise<ReadBackup> => {
  await tx.execute(sql`create temporary table users_before on commit drop as select id, created_at from users`)
  for (const table of tables) {
    const [now, before] = [sql.identifier(table), sql.identifier(`${table}_before`)]
    await tx.execute(sql`create temporary table ${before} on commit drop as select * from ${now}`)
  }
  const read = await load()
  await tx.execute(sql`
    update second_factors set last_step = greatest(last_step, ${newestStep}) where user_id not in (${same})`)
  if (await isOwn(tx, read)) await tx.execute(sql`delete from recovery_codes where user_id not in (${same})`)
  for (const table of tables) {
    const [now, before] = [sql.identifier(table), sql.identifier(`${table}_before`)]
    await tx.execute(sql`delete from ${now} where user_id in (${same})`)
    await tx.execute(sql`insert into ${now} select * from ${before} where user_id in (${same})`)
  }
  return read
}

/** Whether the backup is of this database: its operation log, which is never restored, continues the backup's. */
const isOwn = async (tx: Tx, { manifest: { logHead } }: ReadBackup): Promise<boolean> => {
  if (logHead === null) return false
  const [entry] = await tx.execute(
    sql`select from operation_logs where seq = ${logHead.seq} and hash = ${logHead.hash}`,
  )
  return entry !== undefined
}
