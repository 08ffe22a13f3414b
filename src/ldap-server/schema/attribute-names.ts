import { parseDefinition } from './definition.ts'
import { attributeTypeDefinitions } from './definitions.ts'

/** Every name and number of an attribute type, in lower case. */
export const attributeNames: ReadonlySet<string> = new Set(
  attributeTypeDefinitions
    .map(parseDefinition)
    .flatMap(({ oid, parts }) => [oid, ...(parts.get('NAME') ?? [])])
    .map((name) => name.toLowerCase()),
)
