import type { AppError } from '../failures/errors.ts'
import { conflictOn } from './constraint.ts'

/** By unique constraint: the conflict that names the field whose value is taken. */
export type Clashes = Readonly<Record<string, () => AppError>>

/** Turns the database's refusal of a value that is taken into the conflict that names the field. */
export const refusingClashes = async <T>(work: Promise<T>, clashes: Clashes): Promise<T> => {
  try {
    return await work
  } catch (error) {
    const clash = clashes[conflictOn(error) ?? '']
    if (clash === undefined) throw error
    throw clash()
  }
}
