import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const pattern = /^(entries|journal)-(\d{1,15})\.ndjson(\.part)?$/

export interface Generations {
  /** The newest complete snapshot; 0 where there is no snapshot and the tree started empty. */
  snapshot: number
  /** The journals after it, oldest first. */
  journals: number[]
  /** The greatest number in use. */
  last: number
}

/**
 * The files of a folder. A snapshot `entries-N` is the tree at the moment `journal-N` begins; a journal goes on until
 * the next begins. A snapshot gets its name when it is complete.
 */
export const generationFiles = (folder: string) => ({
  snapshot: (generation: number): string => join(folder, `entries-${generation}.ndjson`),
  journal: (generation: number): string => join(folder, `journal-${generation}.ndjson`),

  async list(): Promise<Generations> {
    const files = (await readdir(folder)).flatMap((name) => {
      const [, kind, generation, part] = pattern.exec(name) ?? []
      return kind && !part ? [{ kind, generation: Number(generation) }] : []
    })
    const numbers = (kind: string): number[] =>
      files.filter((file) => file.kind === kind).map(({ generation }) => generation)
    const snapshot = Math.max(0, ...numbers('entries'))
    return {
      snapshot,
      journals: numbers('journal')
        .filter((generation) => generation >= snapshot)
        .sort((a, b) => a - b),
      last: Math.max(0, ...files.map(({ generation }) => generation)),
    }
  },

  /** Removes the files that a snapshot has replaced. */
  async removeBefore(generation: number): Promise<void> {
    for (const name of await readdir(folder)) {
      const [, , number] = pattern.exec(name) ?? []
      if (number !== undefined && Number(number) < generation) await rm(join(folder, name), { force: true })
    }
  },
})
