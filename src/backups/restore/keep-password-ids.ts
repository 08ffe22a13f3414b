import { sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'

/**
 * Keeps the ids of the passwords that are the same before and after `load` has replaced the data, also where another hash of one was
 * stored meanwhile, and gives all others new ones. Entries may have been given later passwords since the backup, which the previous
 * release does not note beside theirs: an id of the backup could name the password of an entry that has another one. One that
 * `users` has had all the time cannot. A password that was not changed since there are ids has none, and so may that of another
 * person who has the same number in another installation.
 */
export const keepPasswordIds = async <T>(tx: Tx, load: () => Promise<T>): Promise<T> => {
  await tx.execute(sql`
    create temporary table password_ids_before on commit drop as select id, password_id, created_at from users`)
  const loaded = await load()
  await tx.execute(sql`
    update users u set password_id = gen_random_uuid()
    where not exists (
      select from password_ids_before b
      where b.id = u.id and b.created_at = u.created_at and b.password_id is not distinct from u.password_id)`)
  return loaded
}
