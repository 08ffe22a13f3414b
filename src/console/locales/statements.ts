import type { StatementCode, StatementValues } from '../generated/statement-codes.ts'

/** The names in braces of a text. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** A text for every statement; a name in braces stands for a value of it. */
export type StatementTexts = Readonly<Record<StatementCode, string>>

/** A text that names a value its statement does not have does not compile. */
type Checked<Table extends StatementTexts> = {
  [Code in StatementCode]: NamesIn<Table[Code]> extends StatementValues[Code] ? Table[Code] : never
}

export const statementTexts = <const Table extends StatementTexts>(table: Table & Checked<Table>): StatementTexts =>
  table
