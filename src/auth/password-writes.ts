import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type OwnPermit, requirePermitted } from '../access/permits/permit.ts'
import { users } from '../db/schema.ts'

type UserRow = typeof users.$inferInsert

/** Sets a new password, unless the old one has changed since it was read. Returns whether it was set. */
export const replacePassword = async (
  permit: OwnPermit,
  id: number,
  oldHash: string,
  password: SealedPassword,
): Promise<boolean> => setPassword(permit, id, password, eq(users.passwordHash, oldHash))

/** Sets a new password of an enabled user. Returns whether it was set. */
export const resetPassword = (permit: OwnPermit, id: number, password: SealedPassword): Promise<boolean> =>
  setPassword(permit, id, password, eq(users.status, 1))

type SealedPassword = Pick<UserRow, 'passwordHash' | 'directoryPassword'>

const setPassword = async (permit: OwnPermit, id: number, password: SealedPassword, where: SQL): Promise<boolean> => {
  requirePermitted(permit, [id])
  const rows = await permit.tx
    .update(users)
    .set({ ...password, updatedAt: sql`now()` })
    .where(and(eq(users.id, id), where))
    .returning({ id: users.id })
  return rows.length > 0
}
