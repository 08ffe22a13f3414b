import { jsonSchema } from './bodies.ts'
import type { Schemas } from './schemas.ts'
import { isObject, type JsonObject, listOf, type Path, resolveReference, type Source } from './source.ts'

/** What of an operation decides how the runtime may refuse a request to it. */
export interface Refusable {
  method: string
  secured: boolean
  limited: boolean
}

/** The statuses that any request of this kind may be answered with, whatever the handler does. */
const unavoidable = ({ method, secured, limited }: Refusable): string[] => [
  // Also without any input: for what HTTP itself forbids, such as a second Host.
  '400',
  ...(secured ? ['401', '403'] : []),
  ...(method === 'get' ? [] : ['413', '415']),
  ...(limited ? ['429'] : []),
  '500',
  '503',
]

/**
 * In documents whose HTTP status is the outcome: every failure that can happen is declared, each as an envelope whose
 * code is its status. A `default` stands for all that are not listed.
 */
export const verifyFailures = (
  source: Source,
  schemas: Schemas,
  operation: JsonObject,
  refusable: Refusable,
  path: Path,
): void => {
  const { root, refuse } = source
  if (root['x-envelope'] !== 'message') return
  const at = [...path, 'responses']
  const responses = isObject(operation.responses) ? operation.responses : {}
  const missing = unavoidable(refusable).filter((status) => !(status in responses))
  if (missing.length > 0 && !('default' in responses))
    refuse(at, `may answer ${missing.join(', ')} and does not say so`)
  for (const [status, written] of Object.entries(responses)) {
    if (status === '200') continue
    if (status !== 'default' && !/^[45]\d\d$/.test(status)) {
      refuse([...at, status], 'expected 200, a failure such as 404, or default')
      continue
    }
    const response = resolveReference(source, written, [...at, status], 'responses')
    if (response === null) continue
    const [schema, where] = jsonSchema(source, response.value.content, response.path)
    const envelope = schemas.flatten(schema, where)?.value
    const properties = isObject(envelope?.properties) ? envelope.properties : {}
    const required = listOf(envelope?.required)
    const fields = ['code', 'data', 'message', 'params', 'reason']
    if (Object.keys(properties).sort().join() !== fields.join() || !fields.every((name) => required.includes(name))) {
      refuse(where, 'expected an envelope of code, message, data, reason and params, all required')
      continue
    }
    const codes = schemas.flatten(properties.code, [...where, 'properties', 'code'])?.value.enum
    if (status !== 'default' && !(Array.isArray(codes) && codes.length === 1 && String(codes[0]) === status)) {
      refuse([...where, 'properties', 'code'], `expected enum: [${status}], the status`)
    }
  }
}
