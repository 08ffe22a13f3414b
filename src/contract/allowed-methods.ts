import type { ContractDocument, Operation } from './document.ts'

/**
 * The methods of a document's operations at a path; empty where no operation has that path.
 * @param root the start of the path: BASE_PATH and the document's prefix
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

/** `/meals/{id}` matches `/meals/12`. Codegen allows only plain words and whole parameters in a path. */
export const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
