import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type OwnPermit, requirePermitted, type UsersPermit } from '../access/permits/permit.ts'
import { users } from '../db/schema.ts'
import { storeHashes } from '../mirror/passwords/other-hashes.ts'
import type { SealedPassword } from './passwords.ts'

type UserRow = typeof users.$inferInsert

/**
 * Sets a new password that its owner has chosen, unless the old one has changed since it was read. Returns whether it
 * was set.
 */
export const replacePassword = async (
  permit: OwnPermit,
  id: number,
  oldHash: string,
  password: SealedPassword,
): Promise<boolean> =>
  setPassword(permit, id, { ...password, mustChangePassword: false }, eq(users.passwordHash, oldHash))

/** Like `replacePassword`, for other hashes of the same password: directories may keep the former ones. */
export const renewHashes = async (
  permit: OwnPermit,
  id: number,
  oldHash: string,
  password: SealedPassword,
): Promise<boolean> =>
  setPassword(permit, id, { ...password, passwordRenews: oldHash }, eq(users.passwordHash, oldHash))

/**
 * Sets a new password of an enabled user. Returns whether it was set.
 * @param mustChange whether the next sign-in asks for another one, because its owner has not chosen it
 */
export const resetPassword = async (
  permit: OwnPermit | UsersPermit,
  id: number,
  password: SealedPassword,
  { mustChange = false }: { mustChange?: boolean } = {},
): Promise<boolean> => (await resetPasswords(permit, new Map([[id, password]]), { mustChange })).length > 0

/** As `resetPassword`, for many; returns the ids of those whose password was set. */
export const resetPasswords = async (
  permit: OwnPermit | UsersPermit,
  passwords: ReadonlyMap<number, SealedPassword>,
  { mustChange }: { mustChange: boolean },
): Promise<number[]> => {
  requirePermitted(permit, [...passwords.keys()])
  const rows = [...passwords].map(([id, { passwordHash, directoryPassword }]) => ({
    id,
    hash: passwordHash,
    directory: directoryPassword ?? null,
  }))
  const set = await permit.tx.execute<{ id: string }>(sql`
    update ${users} set password_hash = p.hash, directory_password = p.directory,
      must_change_password = ${mustChange}, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p (id bigint, hash text, directory text)
    where ${users.id} = p.id and ${users.status} = 1
    returning ${users.id}`)
  const ids = set.map(({ id }) => Number(id))
  await storeHashes(
    permit.tx,
    ids.map((id) => ({ id, hashes: passwords.get(id)?.hashes ?? {} })),
  )
  return ids
}

const setPassword = async (
  permit: OwnPermit | UsersPermit,
  id: number,
  { hashes, ...columns }: SealedPassword & Pick<UserRow, 'mustChangePassword' | 'passwordRenews'>,
  where: SQL,
): Promise<boolean> => {
  requirePermitted(permit, [id])
  const rows = await permit.tx
    .update(users)
    .set({ ...columns, updatedAt: sql`now()` })
    .where(and(eq(users.id, id), where))
    .returning({ id: users.id })
  await storeHashes(
    permit.tx,
    rows.map(() => ({ id, hashes })),
  )
  return rows.length > 0
}
