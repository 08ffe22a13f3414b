import { sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'

const password = sql`coalesce(u.directory_password, u.password_hash)`

/**
 * Keeps the NT hashes of the enabled users whose password is the same before and after `load` has replaced the data. No
 * backup has any; the others come back as their people sign in.
 */
export const withNtHashesKept = async <T>(tx: Tx, load: () => Promise<T>): Promise<T> => {
  await tx.execute(sql`
    create temporary table nt_hashes_before on commit drop as
    select u.id, u.created_at, ${password} as password from nt_hashes n join users u on u.id = n.user_id`)
  const loaded = await load()
  await tx.execute(sql`
    delete from nt_hashes where user_id not in (
      select u.id from nt_hashes_before b join users u on u.id = b.id and u.created_at = b.created_at
      where u.status = 1 and ${password} = b.password)`)
  return loaded
}
