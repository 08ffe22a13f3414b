import { eq } from 'drizzle-orm'
import type { Tx } from './client.ts'
import { facts } from './schema.ts'

const name = 'seeded'

/** The default records that a start ever created, as `kind: name`. */
export interface Seeded {
  /** true the first time ever: the caller then creates the record. */
  claim(kind: 'role' | 'menu' | 'menu grant' | 'grant' | 'field relation', name: string): boolean
  all(): string[]
}

export const readSeeded = async (tx: Tx): Promise<Seeded> => {
  const [fact] = await tx.select({ value: facts.value }).from(facts).where(eq(facts.name, name))
  const known = new Set(fact?.value as string[] | undefined)
  return {
    claim(kind, name) {
      const key = `${kind}: ${name}`
      if (known.has(key)) return false
      known.add(key)
      return true
    },
    all: () => [...known].sort(),
  }
}

export const writeSeeded = async (tx: Tx, seeded: Seeded): Promise<void> => {
  const value = seeded.all()
  await tx
    .insert(facts)
    .values({ name, value })
    .onConflictDoUpdate({ target: facts.name, set: { value, updatedAt: new Date() } })
}
