import type { ContractDocument, Operation } from './document.ts'

/**
 * Which methods the operations of a document have at a path; none where no operation has that path.
 * @param root what the path begins with: BASE_PATH and the document's prefix
 */
export const allowedMethods = (
  { operations }: Pick<ContractDocument, 'operations'>,
  root: string,
): ((path: string) => readonly Operation['method'][]) => {
  const places = operations.map(({ method, path }) => ({ method, matches: pathPattern(path) }))
  return (path) => {
    if (!path.startsWith(root)) return []
    const rest = path.slice(root.length)
    return [...new Set(places.filter(({ matches }) => matches.test(rest)).map(({ method }) => method))]
  }
}

/** `/meals/{id}` matches `/meals/12`. Codegen lets nothing into a path but plain words and whole parameters. */
export const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
