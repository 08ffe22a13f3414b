import type { Tx } from './client.ts'
import { readFact, writeFact } from './facts.ts'

const name = 'seeded'

/** The default records that a start ever created, as `kind: name`. */
export interface Seeded {
  /** true the first time ever: the caller then creates the record. */
  claim(kind: 'role' | 'menu' | 'menu grant' | 'grant' | 'field relation', name: string): boolean
  all(): string[]
}

export const readSeeded = async (tx: Tx): Promise<Seeded> => {
  const known = new Set(await readFact<string[]>(tx, name))
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

export const writeSeeded = (tx: Tx, seeded: Seeded): Promise<void> => writeFact(tx, name, seeded.all())
