import { storable } from './text-parameters.ts'

/**
 * What a report says, in a form that can be translated: a stable code, the values in its text, and the text itself. A
 * value may be a statement again.
 */
export interface Statement {
  /** `sources.token_issued`, or the code of a reason */
  code: string
  params: Readonly<Record<string, string | Statement>>
  /** In English, for people. Never a secret. */
  text: string
}

export const isStatement = (value: unknown): value is Statement =>
  typeof value === 'object' && value !== null && 'code' in value && 'params' in value && 'text' in value

const textOf = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString()
  return isStatement(value) ? value.text : storable(String(value))
}

/**
 * Values as texts, for failures and alerts. What can be translated is there a second time, in that form, as JSON: the
 * statement `reason` is also `reason.0`, those of a list are `because.0`, `because.1` and so on.
 */
export const valueTexts = (values: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]: [string, unknown]) => [
      [name, [value].flat().map(textOf).join(', ')],
      ...[value].flat().flatMap((each, at) => (isStatement(each) ? [[`${name}.${at}`, JSON.stringify(each)]] : [])),
    ]),
  )

/** The values of a failure as those of a statement. */
export const statedValues = (params: Readonly<Record<string, string>>): Statement['params'] =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, text]) => {
      if (name.includes('.')) return []
      const stated = params[`${name}.0`]
      return [[name, stated === undefined ? text : (JSON.parse(stated) as Statement)]]
    }),
  )

/** The same values, with the text of each statement, for the log. */
export const plainValues = (values: object): Record<string, unknown> => {
  const plain = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(plain) : isStatement(value) ? value.text : value
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plain(value)]))
}
