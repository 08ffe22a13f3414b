import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { entriesOf, isObject, type Json, type JsonObject, listOf } from './source.ts'

/** A document's types as openapi-typescript writes them, seen from the server: a parameter with a default is present. */
export const typesOf = async (root: JsonObject): Promise<string> =>
  astToString(await openapiTypescript(defaultsPresent(root) as unknown as OpenAPI3, { silent: true }))

const defaultsPresent = (root: JsonObject): JsonObject => {
  const copy = structuredClone(root)
  const components = isObject(copy.components) ? entriesOf(copy.components.parameters) : []
  const items = entriesOf(copy.paths).map(([, item]) => item)
  const holders = [...items, ...items.flatMap((item) => entriesOf(item).map(([, operation]) => operation))]
  const parameters: Json[] = [
    ...components.map(([, parameter]) => parameter),
    ...holders.flatMap((holder) => (isObject(holder) ? listOf(holder.parameters) : [])),
  ]
  for (const parameter of parameters) {
    if (isObject(parameter) && isObject(parameter.schema) && parameter.schema.default !== undefined) {
      parameter.required = true
    }
  }
  return copy
}
