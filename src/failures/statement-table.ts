import type { AppError } from './errors.ts'
import type { Reason, TextValue } from './reason-table.ts'
import { isStatement, type Statement, statedValues } from './statement.ts'
import { filledIn, type NamesIn, storable } from './text-parameters.ts'

type Make<Text extends string> = [NamesIn<Text>] extends [never]
  ? () => Statement
  : (values: Readonly<Record<NamesIn<Text>, TextValue>>) => Statement

/** A row of a table of statements, as it is listed. */
export interface StatementRow {
  readonly code: string
  readonly row: string
}

type Statements<Table extends Readonly<Record<string, string>>> = {
  readonly [Name in keyof Table]: Make<Table[Name]> & StatementRow
}

/**
 * What the reports of a room say besides its failures, each text under a stable code: `<room>.<name>`. docs/reasons.md
 * lists them, and the console has a translation of each. A code is never given another meaning.
 */
export const statementsOf = <const Table extends Readonly<Record<string, string>>>(
  room: string,
  table: Table,
): Statements<Table> =>
  Object.fromEntries(
    Object.entries(table).map(([name, row]) => {
      const code = `${room}.${name}`
      return [name, Object.assign((values = {}) => stated(code, row, values), { code, row })]
    }),
  ) as unknown as Statements<Table>

const stated = (code: string, row: string, values: Readonly<Record<string, TextValue>>): Statement => {
  const params = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isStatement(value) ? value : storable(String(value))]),
  )
  const textOf = (value: string | Statement = ''): string => (typeof value === 'string' ? value : value.text)
  return { code, params, text: filledIn(row, (name) => textOf(params[name])) }
}

/** A failure as a statement of a report. */
export const statementOf = ({
  reason,
  params,
  message,
}: Pick<AppError, 'reason' | 'params' | 'message'>): Statement => ({
  code: reason,
  params: statedValues(params),
  text: message,
})

/** A reason as a statement about a value, with the values of its text. */
export const reasonStated = ({ code, row }: Reason, values: Readonly<Record<string, TextValue>> = {}): Statement =>
  stated(code, values.count === 1 ? (row.one ?? row.text) : row.text, values)
