import { sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'

const password = sql`coalesce(u.directory_password, u.password_hash)`

const tables = ['nt_hashes', 'scheme_hashes'] as const

/**
 * Keeps the hashes beside the ones in `users` (see mirror/passwords/other-hashes.ts) of the enabled users whose password is the same
 * before and after `load` has replaced the data. No backup has any; the others come back as their people sign in.
 */
export const keepOtherHashes = async <T>(tx: Tx, load: () => Promise<T>): Promise<T> => {
  await tx.execute(sql`
    create temporary table passwords_before on commit drop as
    select u.id, u.created_at, ${password} as password from users u
    where u.id in (select user_id from nt_hashes union select user_id from scheme_hashes)`)
  const loaded = await load()
  for (const table of tables) {
    await tx.execute(sql`
      delete from ${sql.identifier(table)} where user_id not in (
        select u.id from passwords_before b join users u on u.id = b.id and u.created_at = b.created_at
        where u.status = 1 and ${password} = b.password)`)
  }
  return loaded
}
