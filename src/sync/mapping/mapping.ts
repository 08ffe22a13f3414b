import type { Statement } from '../../failures/statement.ts'
import type { SourceRecord } from '../../sources/source.ts'

/** The result of mapping a source's record. */
export interface Mapped {
  /**
   * Our field → its text. A field without a value in the record is absent: that means "unknown", never "clear it". A
   * field whose value cannot be stored (too long, a mail address that is not ASCII) is absent too, and in `problems`.
   */
  fields: Record<string, string>
  problems: MappingProblem[]
}

export interface MappingProblem {
  field: string
  /** The problem of the value, without the value where it might be secret or huge. */
  reason: string
  /** The same, in a form that can be translated. */
  stated: Statement
}

/** Maps the records of one source. */
export type Mapping = (record: SourceRecord) => Mapped
