import type { SourceRecord } from '../../sources/source.ts'

/** What a record of a source becomes. */
export interface Mapped {
  /**
   * Our field → its text. A field that the record says nothing of is absent: that is "unknown", never "clear it". A
   * field whose value cannot be held (too long, a mail address that is not ASCII) is absent too, and in `problems`.
   */
  fields: Record<string, string>
  problems: MappingProblem[]
}

export interface MappingProblem {
  field: string
  /** What is wrong with the value, without the value where it might be secret or huge. */
  reason: string
}

/** Turns the records of one source into ours. */
export type Mapping = (record: SourceRecord) => Mapped
