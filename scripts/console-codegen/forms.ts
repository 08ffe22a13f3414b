import type { Operation, Schema } from '../../src/contract/document.ts'
import { printValue } from '../codegen/print.ts'
import { isObject, type Json, type JsonObject } from '../codegen/source.ts'
import { header } from './calls.ts'

export const formTypesFile = `${header}
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
`

/** The form of an operation with a body. */
export const formFile = (operation: Operation, published: JsonObject): string => {
  const { id, schema } = operation
  const body = schema.body as { properties?: Record<string, Schema>; required?: string[] }
  const written = propertiesOf(bodyOf(published, operation), published)
  const fields = Object.entries(body.properties ?? {}).map(([name, property]): [string, object] => [
    name,
    fieldOf(property, body.required?.includes(name) === true, helpOf(written[name], published)),
  ])
  return [
    `${header}import validate from '../validators/${id}.ts'`,
    "import type { Form, FormField, Validator } from '../form.ts'\n",
    `const fields = ${printValue(Object.fromEntries(fields))} as const satisfies Record<string, FormField>\n`,
    `export const ${id}: Form<'${id}', typeof fields> = { operation: '${id}', fields, validate: validate as Validator }\n`,
  ].join('\n')
}

const kinds: Readonly<Record<string, string>> = { string: 'text', array: 'list' }

const fieldOf = (schema: Schema, required: boolean, help: string | undefined): object => {
  const types = [schema.type].flat().map(String)
  const type = types.find((each) => each !== 'null') ?? 'text'
  const items = schema.items as Schema | undefined
  const pick = (name: string): unknown => schema[name]
  return {
    type: kinds[type] ?? type,
    ...(required && { required: true }),
    ...(types.includes('null') && { nullable: true }),
    minLength: pick('minLength'),
    maxLength: pick('maxLength'),
    minimum: pick('minimum'),
    maximum: pick('maximum'),
    minItems: pick('minItems'),
    maxItems: pick('maxItems'),
    format: pick('format'),
    values: (schema.enum ?? items?.enum) as unknown,
    ...(help !== undefined && { help }),
  }
}

const follow = (value: Json | undefined, root: JsonObject): JsonObject => {
  let found = value
  while (isObject(found) && typeof found.$ref === 'string') {
    let at: Json | undefined = root
    for (const step of found.$ref.slice(2).split('/')) at = isObject(at) ? at[step] : undefined
    found = at
  }
  return isObject(found) ? found : {}
}

const bodyOf = (root: JsonObject, { path, method }: Operation): Json | undefined => {
  const item = isObject(root.paths) ? root.paths[path] : undefined
  const operation = follow(item, root)[method.toLowerCase()]
  const body = follow(follow(operation, root).requestBody, root)
  return follow(follow(body.content, root)['application/json'], root).schema
}

const propertiesOf = (schema: Json | undefined, root: JsonObject): JsonObject => {
  const { properties, allOf, oneOf } = follow(schema, root)
  const parts = [allOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []))
  return Object.assign({}, ...parts.map((part) => propertiesOf(part, root)), isObject(properties) ? properties : {})
}

/** A description as one line; a field's own is said before that of its type. */
const helpOf = (schema: Json | undefined, root: JsonObject): string | undefined => {
  const own = isObject(schema) ? schema.description : undefined
  const text = own ?? follow(schema, root).description
  return typeof text === 'string' ? text.trim().replaceAll(/\s+/g, ' ') : undefined
}
