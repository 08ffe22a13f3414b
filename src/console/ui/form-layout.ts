import type { ReactNode } from 'react'
import type { Form, FormField } from '../generated/form.ts'
import type { Area, PageTexts } from '../locales/en/areas.ts'
import type { Texts } from '../locales/en.ts'

/** A field that the forms have a name for. */
export type NamedField = keyof Texts['fields']

/** What a field's input is given. */
export interface InputProps {
  value: unknown
  onChange(value: unknown): void
  label: string
  description?: string
  error?: string
  required: boolean
  disabled: boolean
  /** What is wrong with a part of the value, such as `en` of labels. */
  errorOf?(part: string): string | undefined
}

/** How a field is entered, where that is not clear from its type. */
export type Widget =
  | 'textarea'
  | 'password'
  | 'new-password'
  | 'switch'
  | ValueTexts
  | { input: (props: InputProps) => ReactNode }

/** Texts for the values of an enum, and the area that they belong to. */
export interface ValueTexts {
  area: Area
  of(texts: PageTexts<Area>): Readonly<Record<string, string>>
}

/** Texts for the values of an enum. */
export const valuesIn = <Each extends Area>(
  area: Each,
  of: (texts: PageTexts<Each>) => Readonly<Record<string, string>>,
): ValueTexts => ({ area, of: (texts) => of(texts) })

export interface Layout<Name extends string = string> {
  /** In their order; a list in the list stands side by side. */
  shown: readonly (Name | readonly Name[])[]
  /** Fields that the page sets itself. */
  given?: readonly Name[]
  widgets?: { readonly [K in Name]?: Widget }
  /** Required fields that may be empty all the same, where the contract says so by a pattern. */
  optional?: readonly Name[]
  /** Fields whose description in the contract would not help here. */
  unexplained?: readonly Name[]
  /** Fields that have no meaning beside these values: they are neither shown nor sent. */
  needless?(values: Readonly<Record<string, unknown>>): readonly Name[]
}

/** These lines, and a line for each of the fields that none of them has, but for those that are left out. */
export const withOthers = <
  const Lines extends readonly (string | readonly string[])[],
  const Fields extends readonly string[],
>(
  lines: Lines,
  fields: Fields,
  leftOut: readonly Fields[number][] = [],
): readonly [...Lines, ...Fields[number][]] => {
  const placed = new Set<string>([...lines.flat(), ...leftOut])
  return [...lines, ...fields.filter((field) => !placed.has(field))]
}

type Flat<Shown> = Shown extends readonly (infer Each)[]
  ? Each extends readonly (infer Inner)[]
    ? Inner
    : Each
  : never
type Needed<Fields> = { [K in keyof Fields]: Fields[K] extends { required: true } ? K : never }[keyof Fields]

/**
 * The layout of an operation's form. A field that the operation does not have, one without a name in the texts, and a
 * required one that is neither shown nor given by the page do not compile.
 */
export const layoutOf =
  <Id extends string, Fields extends Record<string, FormField>>(_form: Form<Id, Fields>) =>
  <
    const Shown extends readonly ((keyof Fields & NamedField) | readonly (keyof Fields & NamedField)[])[],
    const Given extends readonly (keyof Fields & string)[] = readonly [],
  >(
    layout: {
      shown: Shown
      given?: Given
      widgets?: { readonly [K in keyof Fields]?: Widget }
      optional?: readonly (keyof Fields)[]
      unexplained?: readonly (keyof Fields)[]
      needless?(values: Readonly<Record<string, unknown>>): readonly (keyof Fields)[]
    } & ([Exclude<Needed<Fields>, Flat<Shown> | Given[number]>] extends [never]
      ? unknown
      : { missing: Exclude<Needed<Fields>, Flat<Shown> | Given[number]> }),
  ): Layout =>
    layout as unknown as Layout
