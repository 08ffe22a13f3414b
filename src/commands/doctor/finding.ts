import { DrizzleQueryError } from 'drizzle-orm'
import { codeOf } from '../../failures/caught-error.ts'

/** What a check found. */
export interface Finding {
  /** `problem`: the service does not start, or does not work as it should. `note`: it works, and could be better. */
  state: 'ok' | 'note' | 'problem'
  /** What was checked, with its figures. */
  text: string
  /** What to do; '': nothing. */
  advice: string
}

export const ok = (text: string): Finding => ({ state: 'ok', text, advice: '' })
export const note = (text: string, advice: string): Finding => ({ state: 'note', text, advice })
export const problem = (text: string, advice: string): Finding => ({ state: 'problem', text, advice })

/** One line about an error: of a query what the database said, and of errors that say nothing, their code. */
export const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof DrizzleQueryError && error.cause !== undefined) return describeError(error.cause)
  const inner = error instanceof AggregateError ? error.errors.find((each) => each instanceof Error) : undefined
  return error.message || inner?.message || (codeOf(error) ?? error.name)
}

/** Advice that stands by itself, of a text that goes on a line. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
