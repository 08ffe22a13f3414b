import type { Value } from '../value.ts'
import type { Change } from './change.ts'
import type { Filter } from './filter.ts'

export type SearchScope = 'base' | 'one' | 'sub' | 'children'

export interface SearchRequest {
  kind: 'search'
  base: string
  scope: SearchScope
  /** Entries, and seconds; 0 = no limit. */
  sizeLimit: number
  timeLimit: number
  typesOnly: boolean
  filter: Filter
  attributes: readonly string[]
}

export interface BindRequest {
  kind: 'bind'
  version: number
  dn: string
  /** Null: not a simple bind. */
  password: string | null
}

export interface WriteRequest {
  kind: 'write'
  change: Change
}

export interface CompareRequest {
  kind: 'compare'
  dn: string
  attribute: string
  value: Value
}

export interface ExtendedRequest {
  kind: 'extended'
  oid: string
  value: Buffer | null
}

/** An operation that has a response. */
export type Request = BindRequest | SearchRequest | WriteRequest | CompareRequest | ExtendedRequest

export interface Control {
  oid: string
  critical: boolean
  value: Buffer | null
}
