import type { Queryable } from '../db/client.ts'
import { users } from '../db/schema.ts'

/** Whether the service has started on this database before: its first start creates the administrator. */
export const isInstalled = async (db: Queryable): Promise<boolean> => {
  const [existing] = await db.select({ id: users.id }).from(users).limit(1)
  return existing !== undefined
}
