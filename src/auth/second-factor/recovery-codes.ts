import { createHash } from 'node:crypto'
import { and, count, eq, isNull, sql } from 'drizzle-orm'
import { Secret } from 'otpauth'
import type { Queryable, Tx } from '../../db/client.ts'
import { recoveryCodes } from '../../db/schema.ts'

/** Codes that are issued at a time. */
const issued = 10

/**
 * 120 bits cannot be searched, so a plain hash is enough (OWASP ASVS 5.0, 6.5.2 asks for 112), and the codes stay valid
 * when the installation gets a new key.
 */
const codeBytes = 15

/** New codes that replace the present ones. Only their hashes are stored: they can be shown only now. */
export const issueRecoveryCodes = async (tx: Tx, userId: number): Promise<string[]> => {
  const codes = Array.from({ length: issued }, newCode)
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hashOf(userId, code) })))
  return codes
}

/** Marks a code as used. false: the code does not exist, or was already used. */
export const spendRecoveryCode = async (tx: Tx, userId: number, code: string): Promise<boolean> => {
  const spent = await tx
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeHash, hashOf(userId, code)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ userId: recoveryCodes.userId })
  return spent.length > 0
}

/** The number of the user's unused codes. */
export const recoveryCodesLeft = async (db: Queryable, userId: number): Promise<number> => {
  const [row] = await db
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
  return row?.left ?? 0
}

/** Six groups of four characters. */
const newCode = (): string => {
  const text = new Secret({ size: codeBytes }).base32.toLowerCase()
  return (text.match(/.{4}/g) ?? []).join('-')
}

/** In any notation: capitals, spaces and dashes make no difference. */
const hashOf = (userId: number, code: string): string =>
  createHash('sha256')
    .update(`${userId}:${code.toLowerCase().replaceAll(/[\s-]/g, '')}`)
    .digest('base64url')
