import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Principal } from '../src/contract/handler.ts'
import type { Db } from '../src/db/client.ts'

/** A user without roles who has an open session; for handlers that are called without a service. */
export const signedIn = async (db: Db, username: string): Promise<Principal> => {
  const sessionId = randomUUID()
  await db.execute(sql`
    with added as (
      insert into users (username, username_key, nickname) values (${username}, ${username}, '')
      on conflict (username_key) do update set nickname = '' returning id
    )
    insert into sessions (id, user_id, token_id) select ${sessionId}, id, ${sessionId} from added`)
  const [user] = await db.execute<{ id: string }>(sql`select id from users where username_key = ${username}`)
  return { userId: Number(user?.id), username, sessionId, rank: 1000, roleIds: [], may: () => true }
}
