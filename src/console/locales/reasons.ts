import type { ReasonCode, ReasonValues } from '../generated/reason-codes.ts'

/** The names in braces of a text. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** A text for every reason; a name in braces stands for a value of that reason. */
export type ReasonTexts = Readonly<Record<ReasonCode, string>>

/** A text that names a value its reason does not have does not compile. */
type Checked<Table extends ReasonTexts> = {
  [Code in ReasonCode]: NamesIn<Table[Code]> extends ReasonValues[Code] | 'item' ? Table[Code] : never
}

export const reasonTexts = <const Table extends ReasonTexts>(table: Table & Checked<Table>): ReasonTexts => table
