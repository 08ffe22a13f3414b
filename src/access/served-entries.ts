import { type ContractDocument, entryPath } from '../contract/document.ts'
import { reasons } from './reasons.ts'

/** What an API entry names. */
interface Named {
  method: string
  path: string
}

/** Protects the entries of operations that are served: without its entry an operation cannot be granted. */
export const servedEntries = (documents: readonly ContractDocument[]) => {
  const served = new Set(
    documents.flatMap((document) =>
      document.operations.map((operation) => `${operation.method} ${entryPath(document, operation)}`),
    ),
  )
  const isServed = ({ method, path }: Named): boolean => served.has(`${method} ${path}`)

  return {
    /** @throws AppError (conflict) naming the field that would make the entry of a served operation another one's */
    requireSameOperation(entry: Named, changes: Partial<Named>): void {
      if (!isServed(entry)) return
      for (const field of ['method', 'path'] as const) {
        if ((changes[field] ?? entry[field]) !== entry[field]) {
          throw reasons.api_fixed.at(field, { method: entry.method, path: entry.path })
        }
      }
    },

    /**
     * @param field names the field an entry came from, by its index in `entries`
     * @throws AppError (conflict) naming the first entry of a served operation
     */
    requireNoneServed(entries: readonly Named[], field: (index: number) => string): void {
      entries.forEach((entry, index) => {
        if (isServed(entry)) throw reasons.api_served.at(field(index), { method: entry.method, path: entry.path })
      })
    },
  }
}
