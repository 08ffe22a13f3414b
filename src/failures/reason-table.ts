import {
  AppError,
  type AppErrorOptions,
  type ErrorKind,
  type FieldProblem,
  type Stated,
  type Values,
} from './errors.ts'
import { type Statement, valueTexts } from './statement.ts'
import { filledIn, hasParameters, type NamesIn } from './text-parameters.ts'

/** A value of a text. A statement is translated with the text that it is in. */
export type TextValue = string | number | Statement

/** The values of a text come first, where it has any. */
type Arguments<Text extends string, Rest extends readonly unknown[] = []> = [NamesIn<Text>] extends [never]
  ? Rest
  : [values: Readonly<Record<NamesIn<Text>, TextValue>>, ...rest: Rest]

/** A row of a table of reasons. */
export interface ReasonRow {
  kind: ErrorKind
  /** For people: sentence case, no full stop. A name in braces is a parameter. */
  text: string
  /** The text where the parameter `count` is 1. */
  one?: string
}

/** Makes the failures of one reason. */
export interface Reason<Text extends string = string> {
  /** A failure of the request as a whole. */
  (...args: Arguments<Text, [options?: AppErrorOptions]>): AppError
  /** A failure because of one field: the message and the details both name it. */
  at(field: string, ...args: Arguments<Text, [options?: AppErrorOptions]>): AppError
  /** One of the problems of a request that has many (see invalidInput). */
  problem(field: string, ...args: Arguments<Text>): FieldProblem
  /** The stable code, such as `people.username_taken`. */
  readonly code: string
  readonly row: ReasonRow
}

type Reasons<Table extends Readonly<Record<string, ReasonRow>>> = {
  readonly [Name in keyof Table]: Reason<Table[Name]['text']>
}

/**
 * The reasons why a room refuses or fails, each with a stable code: `<room>.<name>`. The contract lists the codes, and
 * docs/reasons.md is made of the tables. A code is never given another meaning.
 */
export const reasonsOf = <const Table extends Readonly<Record<string, ReasonRow>>>(
  room: string,
  table: Table,
): Reasons<Table> =>
  Object.fromEntries(
    Object.entries(table).map(([name, row]) => [name, reason(`${room}.${name}`, row)]),
  ) as unknown as Reasons<Table>

const reason = (code: string, row: ReasonRow): Reason => {
  const takesValues = hasParameters(row.text)
  /** Texts without parameters are called without values. */
  const split = (args: readonly unknown[]): [Record<string, TextValue>, AppErrorOptions | undefined] =>
    (takesValues ? args : [{}, ...args]) as [Record<string, TextValue>, AppErrorOptions | undefined]
  const state = (values: Record<string, TextValue>): Stated => {
    const params: Values = valueTexts(values)
    const text = params.count === '1' ? (row.one ?? row.text) : row.text
    return { reason: code, params, message: filledIn(text, (name) => params[name] ?? '') }
  }
  return Object.assign(
    (...args: unknown[]): AppError => {
      const [values, options] = split(args)
      return new AppError(row.kind, state(values), options)
    },
    {
      code,
      row,
      at: (field: string, ...args: unknown[]): AppError => {
        const [values, options] = split(args)
        const stated = state(values)
        const message = `${field}: ${stated.message}`
        return new AppError(row.kind, { ...stated, message }, { ...options, details: [{ field, ...stated }] })
      },
      problem: (field: string, ...args: unknown[]): FieldProblem => ({ field, ...state(split(args)[0]) }),
    },
  )
}
