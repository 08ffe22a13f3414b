/** The names in braces of a text: that of 'run {id} does not exist' is `id`. */
export type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

const parameter = /\{(\w+)\}/g

export const hasParameters = (text: string): boolean => text.search(parameter) >= 0

/** The text with the value of each name in braces. */
export const filledIn = (text: string, textOf: (name: string) => string): string =>
  text.replace(parameter, (_, name: string) => textOf(name))

/**
 * A value as it can be stored. Platforms and directories say anything, and neither PostgreSQL nor JSON in it can hold NUL or
 * half of a surrogate pair: a report with one in a text could not be written at all.
 */
export const storable = (value: string): string => value.replace(/[\0\p{Surrogate}]/gu, '\ufffd')
