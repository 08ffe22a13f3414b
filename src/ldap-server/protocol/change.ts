import type { NamedValues } from '../entries/entry.ts'

export type ModifyOperation = 'add' | 'delete' | 'replace'

export interface Modification extends NamedValues {
  operation: ModifyOperation
}

/** A write as it is requested, carried out, and written to the journal. */
export type Change =
  | { kind: 'add'; dn: string; attributes: readonly NamedValues[] }
  | { kind: 'modify'; dn: string; modifications: readonly Modification[] }
  | { kind: 'rename'; dn: string; newRdn: string; deleteOldRdn: boolean; newSuperior: string | null }
  | { kind: 'delete'; dn: string }

/** What the server adds to a change, so that repeating it gives the same entry. */
export interface Stamp {
  csn: string
  uuid: string
}
