import type { OperationId } from '../generated/calls.ts'
import type { DocumentName, Tag } from '../generated/operations.ts'

/**
 * What the console calls the documents of the API, their parts and operations. These texts are not among those of every
 * page: only pages about permissions load them.
 */
export interface OperationTexts {
  documents: Readonly<Record<DocumentName, string>>
  tags: Readonly<Record<Tag, string>>
  /** What each operation does; null: as its summary says. */
  names: Readonly<Record<OperationId, string>> | null
}
