import type { Statement } from '../../failures/statement.ts'
import type { Reading } from '../source.ts'
import { statements } from '../statements.ts'
import { Refusal } from './refusal.ts'

const shown = 5

/**
 * The departments of one reading that are not visible to the app, for one sentence at its end. The sentence is the same in
 * whatever order they were read: one that an administrator has confirmed as normal must not hold the next run again.
 */
export const createHidden = (reading: Reading, advice: Statement) => {
  let seen = 0
  const refusals = new Map<string, Refusal>()

  return {
    /** Counts a department that was read. */
    read(): void {
      seen += 1
    },
    /** @throws the error itself, unless it is a refusal with one of `codes` */
    add(department: string, error: unknown, codes: ReadonlySet<string>): void {
      if (!(error instanceof Refusal) || !codes.has(error.code)) throw error
      refusals.set(department, error)
    },
    /** @throws Refusal when no department could be read: that is not a snapshot, not even one with gaps */
    report(): void {
      const all = [...refusals.keys()].sort()
      const refusal = refusals.get(all[0] ?? '')
      if (refusal === undefined) return
      if (seen === 0) throw refusal
      const names = all.slice(0, shown).join(', ')
      const departments = all.length > shown ? statements.some_more({ names, count: all.length - shown }) : names
      const { code } = refusal
      reading.gap(
        statements[all.length === 1 ? 'department_hidden' : 'departments_hidden']({ departments, code, advice }),
        all.length > shown ? all : undefined,
      )
    },
  }
}
