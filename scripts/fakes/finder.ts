import type { Operation } from './platform.ts'

export interface Found {
  operation: Operation
  /** What stands for the `{names}` of its path. */
  segments: Record<string, string>
}

/** Finds operations by method and path. */
export const finder = (operations: readonly Operation[]) => {
  const known = operations.map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }))
  return (method: string, path: string): Found | undefined => {
    for (const { operation, pattern } of known) {
      const match = operation.method === method ? pattern.exec(path) : null
      if (match === null) continue
      const segments = Object.entries(match.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)])
      return { operation, segments: Object.fromEntries(segments) }
    }
    return undefined
  }
}
