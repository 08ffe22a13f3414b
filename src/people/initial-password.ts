import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/client.ts'
import { writeFact } from '../db/facts.ts'
import { facts, users } from '../db/schema.ts'

/** The fact that says which password the installation gave to which user. */
const name = 'initial password'

interface InitialPassword {
  userId: number
  /** SHA-256 of the stored hash. */
  digest: string
}

const digestOf = (passwordHash: string): string => createHash('sha256').update(passwordHash).digest('hex')

/** Remembers the password that the first administrator was given. */
export const rememberInitialPassword = (tx: Tx, userId: number, passwordHash: string): Promise<void> =>
  writeFact<InitialPassword>(tx, name, { userId, digest: digestOf(passwordHash) })

/** Whether a user still has the password that the installation gave them. */
export const hasInitialPassword = async (db: Db, userId: number): Promise<boolean> => {
  const [row] = await db
    .select({ hash: users.passwordHash, initial: sql<InitialPassword | null>`${facts.value}` })
    .from(users)
    .leftJoin(facts, eq(facts.name, name))
    .where(eq(users.id, userId))
  const { hash = null, initial = null } = row ?? {}
  return hash !== null && initial !== null && initial.userId === userId && initial.digest === digestOf(hash)
}
