import { isMap, isSeq, parseDocument, Scalar, visit } from 'yaml'

export type Json = null | boolean | number | string | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}
export type Path = readonly (string | number)[]

/** An OpenAPI document as it was read, and what was found wrong with it so far. */
export interface Source {
  /** `directory` for `openapi/directory.yaml`. */
  name: string
  file: string
  root: JsonObject
  /** Notes a problem; generation goes on to find the others and fails at its end. */
  refuse: (path: Path, message: string) => void
  problems: string[]
}

/** Thrown with everything that is wrong, one line each: `openapi/x.yaml#/paths/~1ping/get: …`. */
export class ContractError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The contract cannot be generated from:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ContractError'
    this.problems = problems
  }
}

/** A JSON pointer (RFC 6901). */
const pointer = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

export const readSource = (name: string, file: string, text: string): Source => {
  const problems: string[] = []
  const document = parseDocument(text, { uniqueKeys: true, strict: true })
  for (const error of document.errors) problems.push(`${file}: ${error.message.split('\n')[0]}`)
  const content: unknown = document.errors.length === 0 ? document.toJS() : {}
  if (problems.length === 0)
    for (const problem of ambiguities(text, document, content)) problems.push(`${file}: ${problem}`)
  const source: Source = {
    name,
    file,
    root: isObject(content as Json) ? (content as JsonObject) : {},
    refuse: (path, message) => problems.push(`${file}#${pointer(path)}: ${message}`),
    problems,
  }
  if (problems.length === 0 && source.root !== content) source.refuse([], 'not an OpenAPI document')
  return source
}

/** Texts that parsers of YAML 1.1, which many tools still use (SnakeYAML, PyYAML), read differently or refuse. */
const ambiguities = (text: string, document: ReturnType<typeof parseDocument>, content: unknown): string[] => {
  const problems: string[] = []
  visit(document, {
    Scalar(_key, { type, source = '', range }, ancestors) {
      const parent = ancestors.findLast((node) => isMap(node) || isSeq(node))
      if (type !== Scalar.PLAIN || parent?.flow !== true || !/[?:]/.test(source)) return
      const line = text.slice(0, range?.[0]).split('\n').length
      problems.push(`line ${line}: quote ${source}, which YAML 1.1 cannot have in a flow collection`)
    },
  })
  const older = parseDocument(text, { version: '1.1' })
  if (older.errors.length > 0)
    return [...problems, `YAML 1.1 cannot read it: ${older.errors[0]?.message.split('\n')[0]}`]
  const place = firstDifference(content as Json, older.toJS() as Json)
  return place === null ? problems : [...problems, `quote ${pointer(place)}, which YAML 1.1 reads otherwise`]
}

const firstDifference = (a: Json, b: Json, path: Path = []): Path | null => {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b ? null : path
  const [left, right] = [Object.entries(a), Object.entries(b)]
  if (left.length !== right.length) return path
  for (const [index, [key, value]] of left.entries()) {
    const [otherKey, other] = right[index] ?? []
    const difference = otherKey === key ? firstDifference(value, other ?? null, [...path, key]) : [...path, key]
    if (difference !== null) return difference
  }
  return null
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The entries of a value that should be an object; of anything else none. */
export const entriesOf = (value: Json | undefined): [string, Json][] => (isObject(value) ? Object.entries(value) : [])

export const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])

/** A value and where it stands, after following `$ref`s through `#/components/<kind>/…`. */
export interface Resolved {
  value: JsonObject
  path: Path
}

/** Follows local references of one component kind; null, with the problem noted, where one leads nowhere. */
export const resolveReference = (
  { root, refuse }: Source,
  value: Json | undefined,
  path: Path,
  kind: 'parameters' | 'requestBodies' | 'responses',
): Resolved | null => {
  let current: Resolved | null = isObject(value) ? { value, path } : null
  for (let hops = 0; current !== null && typeof current.value.$ref === 'string'; hops++) {
    const prefix = `#/components/${kind}/`
    const reference = current.value.$ref
    const components: Json | undefined = isObject(root.components) ? root.components[kind] : undefined
    const name = reference.startsWith(prefix) ? reference.slice(prefix.length) : ''
    const target: Json | undefined = isObject(components) ? components[name] : undefined
    if (!isObject(target) || hops > 8) {
      refuse(current.path, `$ref ${reference} is not one of ${prefix}…`)
      return null
    }
    current = { value: target, path: ['components', kind, name] }
  }
  if (current === null) refuse(path, 'expected an object')
  return current
}
