// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.

/** What the contract says of a field. */
export interface FormField {
  type: 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'object'
  required?: true
  nullable?: true
  /** In characters. */
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  format?: string
  values?: readonly (string | number)[]
  /** The description, in English. */
  help?: string
}

/** One thing that ajv found wrong. */
export interface Finding {
  instancePath: string
  keyword: string
  params: Record<string, unknown>
}

export interface Validator {
  (value: unknown): boolean
  errors?: Finding[] | null
}

/** The form of an operation: its fields in the contract's order, and the check of the whole. */
export interface Form<Id extends string, Fields extends Record<string, FormField>> {
  operation: Id
  fields: Fields
  validate: Validator
}
