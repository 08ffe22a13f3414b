import type { Statement } from '../../failures/statement.ts'
import type { Reading } from '../source.ts'
import { statements } from '../statements.ts'
import { Refusal } from './refusal.ts'

const shown = 5

/** The departments of one reading that are not visible to the app, for one sentence at its end. */
export const createHidden = (reading: Reading, advice: Statement) => {
  let count = 0
  let seen = 0
  const first: string[] = []
  let refusal: Refusal | null = null

  return {
    /** Counts a department that was read. */
    read(): void {
      seen += 1
    },
    /** @throws the error itself, unless it is a refusal with one of `codes` */
    add(department: string, error: unknown, codes: ReadonlySet<string>): void {
      if (!(error instanceof Refusal) || !codes.has(error.code)) throw error
      refusal ??= error
      count += 1
      if (first.length < shown) first.push(department)
    },
    /** @throws Refusal when no department could be read: that is not a snapshot, not even one with gaps */
    report(): void {
      if (refusal === null) return
      if (seen === 0) throw refusal
      const names = first.join(', ')
      const departments = count > first.length ? statements.some_more({ names, count: count - first.length }) : names
      const { code } = refusal
      reading.gap(statements[count === 1 ? 'department_hidden' : 'departments_hidden']({ departments, code, advice }))
    },
  }
}
