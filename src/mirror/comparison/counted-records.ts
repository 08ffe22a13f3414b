import type { RunProblem } from '../../db/schema.ts'

export type Count = 'added' | 'updated' | 'moved' | 'unchanged' | 'failed'

/** What the records of a run were counted as. */
export interface CountedRecords {
  /** undefined: it was not counted. */
  of(id: number): Count | undefined
  set(id: number, as: Count): void
  /** The problems that the report of the run shows, by their record. */
  shown: Map<number, RunProblem>
}

const counts: readonly Count[] = ['added', 'updated', 'moved', 'unchanged', 'failed']
/** Ids in a page. Ids are given out one after the other, so nearly all of a page are in use. */
const pageSize = 4096

/** One byte for each record: a run may have a million of them. */
export const countedRecords = (): CountedRecords => {
  const pages = new Map<number, Uint8Array>()
  return {
    of: (id) => counts[(pages.get(Math.floor(id / pageSize))?.[id % pageSize] ?? 0) - 1],
    set(id, as) {
      const number = Math.floor(id / pageSize)
      const page = pages.get(number) ?? new Uint8Array(pageSize)
      pages.set(number, page)
      page[id % pageSize] = counts.indexOf(as) + 1
    },
    shown: new Map(),
  }
}
