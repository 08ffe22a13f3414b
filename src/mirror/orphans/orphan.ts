import { createHash } from 'node:crypto'
import type { Author } from '../../access/standing.ts'
import type { Principal } from '../../contract/handler.ts'
import type { Statement } from '../../failures/statement.ts'
import { keyOfAny } from '../../ldap/dn.ts'
import type { RecordKind, Touched } from '../touch.ts'

/** An entry of the directory that does not belong to a record. */
export interface Orphan {
  dn: string
  kind: RecordKind
  objectClasses: string[]
  /** The record it would belong to; null: no record would have this DN. */
  record: { id: number; name: string } | null
  /** Why it cannot be adopted; null: it can be adopted. */
  obstacle: Statement | null
  ignored: boolean
  uuid: string | null
  /** Its DN in Steward's own spelling. */
  place: string
}

export interface OrphanFilter {
  kind?: RecordKind
  /** A part of the DN, ignoring case. */
  text?: string
}

/** The selected entries: those of the request, or all that a preview showed. */
export type Selection = { dns: readonly string[] } | { filter: OrphanFilter; hash: string }

export type OrphanState = 'open' | 'adoptable' | 'ignored' | 'all'

export interface Preview {
  /** The hash of exactly these entries and the records they would belong to. */
  hash: string
  total: number
  orphans: Orphan[]
}

/** Orphan entries, and the decisions of administrators about them. Methods throw AppError. */
export interface Orphans {
  list(
    filter: OrphanFilter & { state: OrphanState },
    page: { limit: number; offset: number },
  ): Promise<{ total: number; orphans: Orphan[] }>
  preview(action: 'adopt' | 'ignore', filter: OrphanFilter): Promise<Preview>
  /**
   * From then on they are the entries of their records, and the reconciler makes them equal to the records. The user has to
   * have stepped up, if they have a second factor.
   */
  adopt(selection: Selection, user: Principal): Promise<{ records: Touched[] }>
  ignore(selection: Selection, author: Author, creator: string): Promise<number>
  /** @returns how many were ignored */
  stopIgnoring(dns: readonly string[], author: Author): Promise<number>
}

/** Whether an orphan is shown in a list of this state. */
export const isIn = (state: OrphanState, { ignored, obstacle }: Orphan): boolean => {
  if (state === 'all') return true
  if (state === 'ignored') return ignored
  return !ignored && (state === 'open' || obstacle === null)
}

/** Digests what an administrator was shown and confirms: these entries, and the record each would belong to. */
export const hashOf = (action: string, orphans: readonly Orphan[]): string => {
  const lines = orphans.map(({ dn, uuid, kind, record }) => JSON.stringify([keyOfAny(dn), uuid, kind, record?.id ?? 0]))
  return createHash('sha256').update(`${action}\n`).update(lines.sort().join('\n')).digest('hex')
}
