import type { Filter } from 'ldapts'

export { DirectoryError, type DirectoryErrorKind } from './directory-error.ts'

/** Attribute → values, as text. An absent or empty list means the attribute is absent. */
export type Attributes = Record<string, string[]>

export interface Entry {
  /** As the server wrote it: compare with sameDn, never as text. */
  dn: string
  /** Under the names the caller asked for, whatever case the server answered in. */
  attributes: Attributes
}

/** One part of a modify (RFC 4511 section 4.6). `delete` and `replace` with no values remove the whole attribute. */
export interface Change {
  operation: 'add' | 'delete' | 'replace'
  attribute: string
  values: string[]
}

export type Write =
  | { kind: 'add'; dn: string; attributes: Attributes }
  | { kind: 'modify'; dn: string; changes: Change[] }
  /** New RDN (the old one's values are dropped), new parent, or both; what lies below moves along. */
  | { kind: 'rename'; dn: string; newDn: string }
  | { kind: 'delete'; dn: string }

/** What the server can do beyond RFC 4511. */
export interface Features {
  /** LDAP transactions, RFC 5805. */
  transactions: boolean
  /** Whether entries carry `entryCSN`, which changes with every write to the entry. */
  entryCsn: boolean
  /** For messages and logs: what the server calls itself, or ''. */
  vendor: string
}

export interface SearchOptions {
  /** The direct children of the base, or the base and everything below it. */
  scope: 'one' | 'sub'
  filter: Filter
  /** Attributes to return; empty: only DNs. */
  attributes: string[]
  /** Entries per page asked of the server; default 1000. */
  pageSize?: number
}

/** An LDAP directory. Every method throws DirectoryError and nothing else. */
export interface Directory {
  readonly baseDn: string
  features(): Promise<Features>
  /** The entry, or null where there is none (noSuchObject). */
  read(dn: string, attributes: string[]): Promise<Entry | null>
  /** The entries, a page at a time, so that memory is bounded; nothing at all where the base does not exist. */
  search(base: string, options: SearchOptions): AsyncIterable<Entry[]>
  write(change: Write): Promise<void>
  /**
   * All of them or none (RFC 5805); only where features().transactions. A refused write is thrown with its `index`
   * where the server tells. `unavailable` leaves open whether they were carried out.
   */
  transact(writes: Write[]): Promise<void>
  /** Called after every new connection. */
  onConnect(listener: () => void): void
  close(): Promise<void>
}
