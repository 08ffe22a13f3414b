/** The platforms that people and departments can be taken over from. */
export type Connector = 'dingtalk' | 'feishu' | 'wecom' | 'ldap'

/** A JSON object as a platform answered it. */
export type SourceRecord = Readonly<Record<string, unknown>>

export interface SourceDepartment {
  /** Never changes, whatever the department is called and wherever it is moved. */
  id: string
  /** The id of the department above; one that is not in the snapshot stands for the root. */
  parentId: string
  record: SourceRecord
}

export interface SourceUser {
  /** Never changes, whatever becomes of the person's name, mail or place. */
  id: string
  /** The person across the apps of one platform; empty where there is no such thing. */
  unionId: string
  /**
   * The departments he is directly in, as far as this record tells. A person who is met several times, under several
   * departments, belongs to all of them.
   */
  departmentIds: readonly string[]
  /** false: the platform itself says that he has left or is disabled. */
  active: boolean
  record: SourceRecord
}

/** Passed to a reading, which ends early with the signal's reason when the signal aborts. */
export interface Reading {
  signal: AbortSignal
  /**
   * Called with a sentence for an administrator when the snapshot is known not to cover everything that the source
   * holds, although nothing failed: a department the app may not see, for example. What is not in such a snapshot
   * may still exist.
   */
  gap: (reason: string) => void
}

/**
 * One organisation on one platform. Readings yield batches of at most a thousand records, in any order, and hold no
 * more than they must; they end normally only when the source has answered everything, and throw a `SourceError`
 * when any page could not be read: a failed page is a failed reading, never a shorter list.
 */
export interface Source {
  readonly connector: Connector
  /** The id under which the platform knows the whole organisation; people may be directly in it. */
  readonly rootId: string
  departments: (reading: Reading) => AsyncIterable<readonly SourceDepartment[]>
  users: (reading: Reading) => AsyncIterable<readonly SourceUser[]>
  /** Tries the settings without changing anything. Never throws for what the platform does: that is in the answer. */
  diagnose: (signal: AbortSignal) => Promise<Diagnosis>
  close: () => Promise<void>
}

/** What an administrator wants to know of a source that does not do what he expects. */
export interface Diagnosis {
  /** Every step that was tried, in order; later ones are left out once nothing more can be learned. */
  steps: DiagnosisStep[]
  /** The names of the departments at the top of what is visible; the first twenty. */
  roots: string[]
  /** Fields of people that the platform knows and that none of the sampled records had. */
  missingFields: string[]
}

export interface DiagnosisStep {
  /** token, scopes, departments, users */
  step: string
  ok: boolean
  /** What was found, with its figures, or what failed, in the platform's own code and words. Never a secret. */
  found: string
  /** What to do about it; empty when there is nothing to do. */
  advice: string
}

/** A source could not be read. The message names the platform's code and words, never a secret. */
export class SourceError extends Error {
  /** What an administrator can do about it. */
  readonly advice: string

  constructor(message: string, { advice, cause }: { advice: string; cause?: unknown }) {
    super(message, { cause })
    this.name = 'SourceError'
    this.advice = advice
  }
}
