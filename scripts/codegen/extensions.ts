import { isObject, type Json, type JsonObject, listOf, type Path, type Source } from './source.ts'

/** Maps whose keys are names of the document, not keywords. */
const nameMaps = new Set([
  'callbacks',
  'content',
  'headers',
  'links',
  'mapping',
  'parameters',
  'pathItems',
  'paths',
  'patternProperties',
  'properties',
  'requestBodies',
  'responses',
  'schemas',
  'securitySchemes',
  'variables',
  '$defs',
])

/** Values that are data, whatever their keys look like. */
const dataKeys = new Set(['const', 'default', 'enum', 'example', 'examples'])

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

const isOperation = (path: Path): boolean => path.length === 3 && path[0] === 'paths' && methods.includes(`${path[2]}`)

/** Generators take these for the names of the values, one each, in their order. */
const namesEachValue = (_path: Path, { enum: values, 'x-enum-varnames': names }: JsonObject): boolean =>
  listOf(values).length > 0 && listOf(values).length === new Set(listOf(names)).size

/** Our extensions and where they mean something. Anywhere else they would be silently without effect. */
const allowed: Readonly<Record<string, (path: Path, holder: JsonObject) => boolean>> = {
  'x-envelope': (path) => path.length === 0,
  'x-stream': isOperation,
  'x-rate-limit': isOperation,
  'x-cache': isOperation,
  'x-cache-drop': isOperation,
  'x-enum-varnames': namesEachValue,
}

/** Refuses every `x-` key that is unknown or misplaced: a typo in `x-rate-limit` would mean "no limit". */
export const refuseUnknownExtensions = ({ root, refuse }: Source): void => {
  const walk = (value: Json, path: Path, names: boolean): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) walk(item, [...path, index], false)
      return
    }
    if (!isObject(value)) return
    for (const [key, child] of Object.entries(value)) {
      if (!names && key.startsWith('x-') && allowed[key]?.(path, value) !== true) {
        refuse([...path, key], allowed[key] ? `${key} has no effect here` : `${key} is not known`)
      }
      if (names || !dataKeys.has(key)) walk(child, [...path, key], !names && nameMaps.has(key))
    }
  }
  walk(root, [], false)
}
