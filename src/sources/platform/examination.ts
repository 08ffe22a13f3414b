import { withDeadline } from '../../concurrency/abort.ts'
import type { Statement } from '../../failures/statement.ts'
import { type Diagnosis, SourceError } from '../source.ts'
import { statements } from '../statements.ts'
import type { PlatformClient } from './client.ts'
import type { JsonObject } from './json.ts'

export interface Finding<T> {
  found: Statement
  advice?: Statement | null
  /** What later steps need. */
  value: T
}

/** Milliseconds for one step: an administrator waits for the result. */
const stepTime = 30_000
/** Milliseconds for the first step: it is one request, and a platform that cannot be reached is told soon. */
const signInTime = 8000
/** The longest pause in milliseconds before a step retries a busy platform. */
export const stepMaxPause = 5000
const maxRoots = 20

const late = (milliseconds: number) => (): SourceError =>
  new SourceError(statements.step_late({ seconds: milliseconds / 1000 }), { advised: statements.platform_slow() })

export type Examination = ReturnType<typeof createExamination>

/** Builds a diagnosis step by step. */
export const createExamination = (signal: AbortSignal) => {
  const diagnosis: Diagnosis = { steps: [], roots: [], missingFields: [] }
  const noted = (step: string, ok: boolean, stated: Statement, advised: Statement | null): void =>
    void diagnosis.steps.push({ step, ok, found: stated.text, advice: advised?.text ?? '', stated, advised })

  return {
    diagnosis,
    /** null: the step failed, and the diagnosis says how. */
    async step<T>(
      step: string,
      look: (signal: AbortSignal) => Promise<Finding<T>>,
      time = stepTime,
    ): Promise<T | null> {
      try {
        const { found, advice = null, value } = await withDeadline(time, { signal, late: late(time) }, look)
        noted(step, true, found, advice)
        return value
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof SourceError)) throw error
        noted(step, false, error.stated, error.advised)
        return null
      }
    },
    /** The first step of every platform; false: it failed. */
    async signsIn(client: PlatformClient): Promise<boolean> {
      const signIn = async (signal: AbortSignal): Promise<Finding<true>> => {
        await client.signIn(signal)
        return { found: statements.token_issued({ platform: client.platform }), value: true }
      }
      return (await this.step('token', signIn, signInTime)) !== null
    },
    roots(names: readonly string[]): void {
      diagnosis.roots = names.slice(0, maxRoots)
    },
    /**
     * Records the fields that no sampled person has, and returns the advice for them.
     * @param fields field → the permission that shows it
     */
    missing(sample: readonly JsonObject[], fields: Readonly<Record<string, Statement>>): Statement | null {
      if (sample.length === 0) return null
      const missing = Object.keys(fields).filter((field) => sample.every((person) => isAbsent(person[field])))
      diagnosis.missingFields = missing
      return [...new Set(missing.map((field) => fields[field]))]
        .flatMap((how) => {
          const shown = missing.filter((field) => fields[field] === how).join(', ')
          return how === undefined ? [] : [statements.show_fields({ fields: shown, how })]
        })
        .reduceRight<Statement | null>(
          (others, advice) => (others === null ? advice : statements.and_also({ advice, others })),
          null,
        )
    },
  }
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null
