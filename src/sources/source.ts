import type { Statement } from '../failures/statement.ts'

/** The platforms that people and departments can be imported from. */
export type Connector = 'dingtalk' | 'feishu' | 'wecom' | 'ldap'

/** A JSON object from a platform's response. */
export type SourceRecord = Readonly<Record<string, unknown>>

export interface SourceDepartment {
  /** Stays the same when the department is renamed or moved. */
  id: string
  /** The id of the parent department; one that is not in the snapshot means the root. */
  parentId: string
  record: SourceRecord
}

export interface SourceUser {
  /** Stays the same whatever changes about the person. */
  id: string
  /** The person's id across the apps of one platform; empty where the platform has no such id. */
  unionId: string
  /**
   * The departments the person is directly in, according to this record. A person who occurs several times, in several
   * departments, belongs to all of them.
   */
  departmentIds: readonly string[]
  /** false: the platform says that the person has left or is disabled. */
  active: boolean
  record: SourceRecord
}

/** The options of a reading, which ends early with the signal's reason when the signal aborts. */
export interface Reading {
  signal: AbortSignal
  /**
   * Called with a statement for an administrator when the snapshot is known to be incomplete although nothing failed:
   * for example, a department is not visible to the app. Records that are missing in such a snapshot may still exist.
   * `all` is what the sentence counts instead of naming it. An administrator who confirms the gap confirms this set: with
   * another one it is another gap.
   */
  gap: (reason: Statement, all?: readonly string[]) => void
  /** Called with what an administrator may want to know of a snapshot that is complete, and what helps. */
  note?: (stated: Statement, advised: Statement) => void
}

/**
 * One organisation on one platform. Readings yield batches of at most a thousand records, in any order, and need little
 * memory. They end normally only when the source has returned everything, and throw a `SourceError` when any page could
 * not be read: a failed page is a failed reading, never a shorter list.
 */
export interface Source {
  readonly connector: Connector
  /** The platform's id of the whole organisation; people may be directly in it. */
  readonly rootId: string
  departments: (reading: Reading) => AsyncIterable<readonly SourceDepartment[]>
  users: (reading: Reading) => AsyncIterable<readonly SourceUser[]>
  /** Tests the settings without changing anything. Faults of the platform are not thrown: they are in the result. */
  diagnose: (signal: AbortSignal) => Promise<Diagnosis>
  close: () => Promise<void>
}

/** The test report for a source that does not work as expected. */
export interface Diagnosis {
  /** Every step that was tried, in order; later steps are left out after a failure that makes them pointless. */
  steps: DiagnosisStep[]
  /** The names of the topmost visible departments; the first twenty. */
  roots: string[]
  /** Fields of people that the platform knows and that no sampled record had. */
  missingFields: string[]
}

export interface DiagnosisStep {
  /** token, scopes, departments, users */
  step: string
  ok: boolean
  /** What was found, with its figures, or what failed, with the platform's code and message. Never a secret. */
  found: string
  /** Advice; empty when nothing needs to be done. */
  advice: string
  /** Both, in a form that can be translated. */
  stated: Statement
  advised: Statement | null
}

export interface SourceErrorOptions {
  advised: Statement | null
  cause?: unknown
}

/** A source could not be read. The message contains the platform's code and message, never a secret. */
export class SourceError extends Error {
  readonly stated: Statement
  /** Advice for an administrator; null: there is no particular advice. */
  readonly advised: Statement | null

  constructor(stated: Statement, { advised, cause }: SourceErrorOptions) {
    super(stated.text, { cause })
    this.name = 'SourceError'
    this.stated = stated
    this.advised = advised
  }
}
